import type { Component } from 'svelte'
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

/** In order: the first that fits. */
export const routes: readonly Route[] = [
  { pattern: '/', load: catalogue },
  { pattern: '/datasets/content/:entity', load: () => import('../dataset/index.ts') },
  { pattern: '/datasets/timeseries/:type', load: () => import('../dataset/index.ts') },
  { pattern: '/datasets/traffic', load: traffic },
  { pattern: '/datasets/traffic/:provider', load: traffic },
  { pattern: '/records/:entity/:id', load: () => import('../record/index.ts') },
  { pattern: '/timeseries', load: () => import('../timeseries/index.ts') },
  { pattern: '/docs', load: docs },
  { pattern: '/docs/api/:operation', load: docs },
  { pattern: '/docs/errors/:code', load: docs },
  { pattern: '/docs/:guide', load: docs },
  { pattern: '/login/done', load: () => import('../login/view.ts') },
  // All of the design at once, for developers; the hub has no such address.
  ...(import.meta.env.DEV
    ? [{ pattern: '/design', load: () => import('../design/gallery/index.ts') }]
    : []),
]
