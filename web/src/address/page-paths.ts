import { viewPaths } from '../../../src/explorer/page-paths.ts'
import { matchPath } from './match.ts'

/** Whether a path leads to a view of the page; the hub answers all others itself. */
export function isOfPage(path: string): boolean {
  return Object.keys(viewPaths).some((pattern) => matchPath(pattern, path) !== undefined)
}
