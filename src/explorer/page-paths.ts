/**
 * Paths of the page, for the router of the hub and that of the page itself, each with the file of
 * its view in `web/src`. No two match the same path. A path that is not listed is served by another
 * route of the hub, or is 404.
 */
export const pagePaths = {
  '/': 'catalogue/CatalogueView.svelte',
  '/datasets/content/:entity': 'dataset/DatasetView.svelte',
  '/datasets/timeseries/:type': 'dataset/DatasetView.svelte',
  '/datasets/traffic': 'traffic/TrafficView.svelte',
  '/datasets/traffic/:provider': 'traffic/TrafficView.svelte',
  '/datasets/content/:entity/new': 'record/edit/EditView.svelte',
  '/records/:entity/:id': 'record/RecordView.svelte',
  '/records/:entity/:id/edit': 'record/edit/EditView.svelte',
  '/timeseries': 'timeseries/TimeseriesView.svelte',
  '/docs': 'docs/DocsView.svelte',
  '/docs/:guide': 'docs/DocsView.svelte',
  '/docs/api/:operation': 'docs/DocsView.svelte',
  '/desk': 'desk/DeskView.svelte',
  '/desk/quality': 'desk/quality/QualityView.svelte',
  '/desk/quality/:dataset': 'desk/quality/DatasetQualityView.svelte',
  '/desk/quality/timeseries/:type': 'desk/quality/DatasetQualityView.svelte',
  '/desk/status': 'desk/status/StatusView.svelte',
  '/desk/streams': 'desk/streams/StreamsView.svelte',
  '/desk/streams/:provider/:dataset': 'desk/streams/StreamView.svelte',
  '/desk/streams/:provider/:dataset/playground': 'desk/playground/PlaygroundView.svelte',
  '/desk/access': 'desk/access/AccessView.svelte',
  '/desk/alerts': 'desk/AlertsView.svelte',
  '/login/done': 'login/LoginView.svelte',
} as const

/**
 * All paths. Programs get another response at the last one, so the hub has a separate route for it.
 */
export const viewPaths = { ...pagePaths, '/docs/errors/:code': 'docs/DocsView.svelte' } as const

/** The file in `web/src` that contains the entry of a view. */
export type ViewFile = (typeof viewPaths)[keyof typeof viewPaths]
