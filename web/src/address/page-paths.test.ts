import { expect, it } from 'vitest'
import { isOfPage } from './page-paths.ts'

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
