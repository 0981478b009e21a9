import { expect, it } from 'vitest'
import { matchPath, pathOf, isOfPage, fragmentOf } from './match.ts'

const record = '/records/:entity/:id'

it('extracts and decodes the named parts of a pattern', () => {
  expect(matchPath(record, '/records/Event/A%2FB%20c')).toEqual({ entity: 'Event', id: 'A/B c' })
  expect(matchPath('/', '/')).toEqual({})
})

it('ignores a trailing slash', () => {
  expect(matchPath('/docs/:guide', '/docs/quotas/')).toEqual({ guide: 'quotas' })
})

it('does not match if a part is missing, empty, surplus or invalid', () => {
  for (const path of [
    '/records/Event',
    '/records//1',
    '/records/Event/1/2',
    '/records/Event/%E0',
  ]) {
    expect(matchPath(record, path)).toBeUndefined()
  }
})

it('builds a path that matches its pattern', () => {
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
])('treats %s as a view', (path) => {
  expect(isOfPage(path)).toBe(true)
})

it.each(['/v1/Accommodation', '/openapi.json', '/docs/api/listEvent/more', '/datasets'])(
  'leaves %s to the hub',
  (path) => {
    expect(isOfPage(path)).toBe(false)
  },
)

it('reads the id in a fragment, even if it is incorrectly encoded', () => {
  expect(fragmentOf('#a%20b')).toBe('a b')
  expect(fragmentOf('#for-operators')).toBe('for-operators')
  expect(fragmentOf('')).toBe('')
  expect(fragmentOf('#%zz')).toBe('%zz')
})
