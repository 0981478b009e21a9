import { expect, it } from 'vitest'
import { isOfPage } from './page-paths.ts'

it.each([
  '/',
  '/datasets/content/Accommodation',
  '/records/Event/A%2FB',
  '/docs/api',
  '/docs/quotas',
])('takes %s for a view', (path) => {
  expect(isOfPage(path)).toBe(true)
})

it.each([
  '/v1/Accommodation',
  '/openapi.json',
  '/docs/swagger',
  '/docs/errors/HUB-RTE-001',
  '/datasets',
])('leaves %s to the hub', (path) => {
  expect(isOfPage(path)).toBe(false)
})
