/** The addresses of the page; the hub answers all others itself. */
const ofPage = [
  /^\/$/,
  /^\/datasets\/(content|timeseries)\/[^/]+$/,
  /^\/datasets\/traffic(\/[^/]+)?$/,
  /^\/records\/[^/]+\/[^/]+$/,
  /^\/timeseries$/,
  /^\/docs(\/[^/]+)?$/,
  /^\/docs\/(api|errors)\/[^/]+$/,
  /^\/login\/done$/,
  /^\/design$/,
]

/** Whether a path leads to a view of the page. */
export function isOfPage(path: string): boolean {
  return ofPage.some((pattern) => pattern.test(path))
}
