import { expect, it } from 'vitest'
import { matchPath, pathOf, isOfPage, fragmentOf } from './match.ts'

const record = '/records/:entity/:id'

it('finds the parts that a pattern names, decoded', () => {
  expect(matchPath(record, '/records/Event/A%2FB%20c')).toEqual({ entity: 'Event', id: 'A/B c' })
  expect(matchPath('/', '/')).toEqual({})
})

it('takes a slash at the end for nothing', () => {
  expect(matchPath('/docs/:guide', '/docs/quotas/')).toEqual({ guide: 'quotas' })
})

it('is not a match where a part is missing, empty, too much or not to be read', () => {
  for (const path of [
    '/records/Event',
    '/records//1',
    '/records/Event/1/2',
    '/records/Event/%E0',
  ]) {
    expect(matchPath(record, path)).toBeUndefined()
  }
})

it('makes a path that is found again', () => {
  const parts = { entity: 'Event', id: 'A/B ?ü#' }
  expect(matchPath(record, pathOf(record, parts))).toEqual(parts)
})

it.each([
  '/',
  '/datasets/content/Accommodation',
  '/records/Event/A%2FB',
  '/docs/',
  '/docs/api',
  '/docs/quotas',
  '/docs/errors',
  '/docs/errors/HUB-RTE-001',
  '/docs/deprecations',
])('takes %s for a view', (path) => {
  expect(isOfPage(path)).toBe(true)
})

it.each(['/v1/Accommodation', '/openapi.json', '/docs/api/listEvent/more', '/datasets'])(
  'leaves %s to the hub',
  (path) => {
    expect(isOfPage(path)).toBe(false)
  },
)

it('reads the id of a place, also where it is not encoded as it should be', () => {
  expect(fragmentOf('#a%20b')).toBe('a b')
  expect(fragmentOf('#for-operators')).toBe('for-operators')
  expect(fragmentOf('')).toBe('')
  expect(fragmentOf('#%zz')).toBe('%zz')
})
