/**
 * The addresses of the page, as the router knows them; it reads the rest of the address itself. What is
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
  '/docs/errors',
  '/docs/deprecations',
  '/login/done',
] as const
