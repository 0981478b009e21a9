import { describe, expect, it } from 'vitest'
import { securityContactRoutes } from '../../src/observe/index.ts'
import { createTestApp, publicUrl } from '../fixtures/test-app.ts'

const now = () => new Date('2026-11-22T00:00:00.000Z')

describe('/.well-known/security.txt', () => {
  const url = '/.well-known/security.txt'

  it('lists the security contacts, in the format of RFC 9116', async () => {
    const contacts = ['mailto:security@example.org', 'https://example.org/report']
    const app = await createTestApp(securityContactRoutes({ publicUrl, now, contacts }))
    const { statusCode, headers, body } = await app.inject(url)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body.split('\r\n')).toEqual([
      'Contact: mailto:security@example.org',
      'Contact: https://example.org/report',
      'Expires: 2027-05-21T00:00:00.000Z',
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${url}`,
      '',
    ])
    await app.close()
  })

  it('does not exist without contacts', async () => {
    const app = await createTestApp(securityContactRoutes({ publicUrl, now, contacts: [] }))
    expect((await app.inject(url)).json()).toMatchObject({ status: 404 })
    await app.close()
  })
})
