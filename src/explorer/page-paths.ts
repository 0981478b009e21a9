/**
 * The addresses of the page, for the hub's router and for the page's own; no two fit the same path. What is
 * not listed stays what it is: the hub's own, or 404.
 */
export const pagePaths = [
  '/',
  '/datasets/content/:entity',
  '/datasets/timeseries/:type',
  '/datasets/traffic',
  '/datasets/traffic/:provider',
  '/records/:entity/:id',
  '/timeseries',
  '/docs',
  '/docs/:guide',
  '/docs/api/:operation',
  '/login/done',
] as const

/** All of them: programs get another answer at the last, so the hub has a route of its own for it. */
export const viewPaths = [...pagePaths, '/docs/errors/:code'] as const
