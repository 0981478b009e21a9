/**
 * The addresses of the page, for the hub's router and for the page's own, and at each the view that stands
 * there, by its file in `web/src`; no two fit the same path. What is not listed stays what it is: the hub's
 * own, or 404.
 */
export const pagePaths = {
  '/': 'catalogue/index.ts',
  '/datasets/content/:entity': 'dataset/index.ts',
  '/datasets/timeseries/:type': 'dataset/index.ts',
  '/datasets/traffic': 'traffic/index.ts',
  '/datasets/traffic/:provider': 'traffic/index.ts',
  '/records/:entity/:id': 'record/index.ts',
  '/timeseries': 'timeseries/index.ts',
  '/docs': 'docs/index.ts',
  '/docs/:guide': 'docs/index.ts',
  '/docs/api/:operation': 'docs/index.ts',
  '/login/done': 'login/view.ts',
} as const

/** All of them: programs get another answer at the last, so the hub has a route of its own for it. */
export const viewPaths = { ...pagePaths, '/docs/errors/:code': 'docs/index.ts' } as const

/** The file in `web/src` that a view begins with. */
export type ViewFile = (typeof viewPaths)[keyof typeof viewPaths]
