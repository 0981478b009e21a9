import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../test/fixtures/test-app.ts'
import { embeddedPushPermission } from '../access/index.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { rightsRoutes } from './rights.ts'

describe('GET /rights', () => {
  const entities = entitiesOf(toNaming('Hub'))

  const permission = embeddedPushPermission(() => [
    { client: 'editor', pathPattern: '/demo/*' },
    { client: 'rival', pathPattern: '/rival/*' },
  ])

  async function ask(caller?: string) {
    const app = await createTestApp(rightsRoutes(entities, permission))
    const headers = caller === undefined ? {} : { authorization: `Bearer ${caller}` }
    const response = await app.inject({ url: '/rights', headers })
    return [response.statusCode, response.json()] as const
  }

  it('requires a valid token', async () => {
    expect(await ask()).toMatchObject([401, { errorCode: 'HUB-ACC-001' }])
    expect(await ask('bad')).toMatchObject([401, { errorCode: 'HUB-ACC-002' }])
  })

  it('lists what the caller may do, and nothing else', async () => {
    const all = ['Create', 'Update', 'Delete']
    expect(await ask('editor')).toEqual([
      200,
      {
        ...{ name: 'editor', client: 'editor', isAdmin: false },
        roles: ['Accommodation_Create', 'Accommodation_Delete', 'Accommodation_Update'],
        content: [{ entity: 'Accommodation', operations: all }],
        push: ['/demo/*'],
      },
    ])
    expect(await ask('closed')).toMatchObject([200, { isAdmin: false, content: [], push: [] }])
    const content = entities.map(({ path }) => ({ entity: path, operations: all }))
    expect(await ask('admin')).toMatchObject([200, { isAdmin: true, content, push: ['/*'] }])
  })
})
