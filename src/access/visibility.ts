import type { Principal } from './principal.ts'
import type { AccessRule } from './rules.ts'

/** What of the closed data a principal sees. Open data is always visible. */
export type Visibility =
  | { readonly kind: 'everything' }
  | { readonly kind: 'rules'; readonly rules: readonly AccessRule[] }

const GUEST = 'GUEST'
const OPENS_EVERYTHING = ['ADMIN', 'BDP_VIEW_CLOSED_DATA']
const PREFIX = 'BDP_'

const everything: Visibility = { kind: 'everything' }

/** The names under which rules open data to a principal; undefined for one who sees all (D60). */
function rulesOf(principal: Principal): readonly string[] | undefined {
  if (principal.kind === 'anonymous') return [GUEST]
  if (OPENS_EVERYTHING.some((role) => principal.roles.has(role))) return undefined
  const names = [...principal.roles].filter((role) => role.startsWith(PREFIX))
  return [GUEST, ...names.map((role) => role.slice(PREFIX.length)).sort()]
}

/**
 * Makes the function that tells what a principal sees under a set of rules. Principals with the
 * same names get the same object, so what was worked out for one serves the next.
 */
export function visibilityUnder(
  rules: readonly AccessRule[],
): (principal: Principal) => Visibility {
  const known = new Set(rules.map(({ role }) => role))
  const cache = new Map<string, Visibility>()
  const of = (principal: Principal) => {
    const names = rulesOf(principal)?.filter((name) => known.has(name))
    if (names === undefined) return everything
    const key = JSON.stringify(names)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const visibility: Visibility = {
      kind: 'rules',
      rules: rules.filter(({ role }) => names.includes(role)),
    }
    cache.set(key, visibility)
    return visibility
  }
  const forAnyone = of({ kind: 'anonymous' })
  return (principal) => (principal.kind === 'anonymous' ? forAnyone : of(principal))
}
