import { expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import { accommodation } from '../entities/accommodation.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { readChange, readCreations } from './read-edits.ts'

const entity = accommodation(toNaming('Hub'))
const contentType = 'application/json'

it('suggests the media type of a patch if an array is sent as a record', () => {
  const body = [{ op: 'remove', path: '/A' }]
  const { hint } = failureOf(() => readChange({ entity, body, contentType }, 'a'))
  expect(hint).toContain('application/json-patch+json')
})

it.each(['A', '/a~2b', '/a~', '/~/b'])(
  'refuses the path %s, which is not a JSON pointer',
  (path) => {
    const sent = (body: unknown) => () =>
      readChange({ entity, body, contentType: 'application/json-patch+json' }, 'a')
    expect(failureOf(sent([{ op: 'remove', path }])).code).toBe('HUB-BDY-001')
    expect(failureOf(sent([{ op: 'copy', from: path, path: '/B' }])).code).toBe('HUB-BDY-001')
  },
)

it('accepts escaped names in a path', () => {
  const body = [{ op: 'remove', path: '/a~01~1/~0\n/' }]
  const sent = { entity, body, contentType: 'application/json-patch+json' }
  expect(readChange(sent, 'a')).toMatchObject({ patch: body })
})

it('refuses a record that spells Id differently, rather than generating a new Id', () => {
  const body = [{ Id: 'a', id: 7 }, { id: 'low' }]
  const [, refused] = readCreations({ entity, body, contentType })
  expect(refused).toMatchObject({ refusal: { issues: [{ pointer: '/id', expected: ['Id'] }] } })
  const { issues } = failureOf(() => readCreations({ entity, body: body[1], contentType }))
  expect(issues).toMatchObject([{ pointer: '/id', expected: ['Id'] }])
})

it('points to the key of a source, also within a batch of one', () => {
  const source = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Source')
  if (source === undefined) throw new Error('There is no entity Source')
  const pointersOf = (body: unknown) =>
    failureOf(() => readCreations({ entity: source, body, contentType })).issues.map(
      ({ pointer }) => pointer,
    )
  const long = { Key: 'k'.repeat(1000) }
  expect([pointersOf(long), pointersOf([long])]).toEqual([['/Key'], ['/0/Key']])
})

function failureOf(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('nothing was thrown')
}
