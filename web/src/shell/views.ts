import type { Component } from 'svelte'
import { viewPaths } from '../../../src/explorer/page-paths.ts'
import { expectCatalogue } from '../api/index.ts'

type ViewModule = { readonly View: Component<Record<string, never>> }

/** One pattern of addresses and the view behind it, loaded when somebody goes there. */
export type Route = { readonly pattern: string; readonly load: () => Promise<ViewModule> }

/** Its data is on the way before the view that shows it is there. */
const catalogue = () => {
  expectCatalogue()
  return import('../catalogue/index.ts')
}
const docs = () => import('../docs/index.ts')
const traffic = () => import('../traffic/index.ts')

const dataset = () => import('../dataset/index.ts')

/** Each address that the hub answers with the page; one without a view does not compile. */
const views: Readonly<Record<(typeof viewPaths)[number], Route['load']>> = {
  '/': catalogue,
  '/datasets/content/:entity': dataset,
  '/datasets/timeseries/:type': dataset,
  '/datasets/traffic': traffic,
  '/datasets/traffic/:provider': traffic,
  '/records/:entity/:id': () => import('../record/index.ts'),
  '/timeseries': () => import('../timeseries/index.ts'),
  '/docs': docs,
  '/docs/:guide': docs,
  '/docs/api/:operation': docs,
  '/docs/errors/:code': docs,
  '/login/done': () => import('../login/view.ts'),
}

export const routes: readonly Route[] = [
  ...viewPaths.map((pattern) => ({ pattern, load: views[pattern] })),
  // All of the design at once, for developers; the hub has no such address.
  ...(import.meta.env.DEV
    ? [{ pattern: '/design', load: () => import('../design/gallery/index.ts') }]
    : []),
]
