import type { Verified } from './principal.ts'
import type { PushGrant } from './rules.ts'

/** Decides who may push where. `path` is `/<provider>/<dataset>`, decoded (interface 5.10). */
export type PushPermission = {
  /** @throws AppError HUB-ACC-002 or HUB-ACC-004 when an external provider says so (decision D52) */
  readonly mayPush: (principal: Verified, path: string) => Promise<boolean>
}

/** Role that may push everywhere when the hub itself decides. */
const ADMIN = 'ADMIN'

/** Decides by the grants of the hub, as they are at the moment of asking. */
export function embeddedPushPermission(grants: () => readonly PushGrant[]): PushPermission {
  const mayPush = (principal: Verified, path: string) =>
    principal.roles.has(ADMIN) ||
    grants().some(
      ({ client, pathPattern }) => client === principal.client && matchesPath(pathPattern, path),
    )
  return { mayPush: (principal, path) => Promise.resolve(mayPush(principal, path)) }
}

/**
 * Whether a path lies under a pattern: `/a/b` is that path, `/a/*` all below `/a`, `/*` all.
 * A star counts only as the whole last segment.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (!pattern.endsWith('/*')) return pattern === path
  const folder = pattern.slice(0, -1)
  return path.startsWith(folder) && path.length > folder.length
}
