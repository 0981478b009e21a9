import type { AccessRule, Area } from './rules.ts'
import type { Visibility } from './visibility.ts'

/** What a read asks for, as far as it is known before the database is; absent means anything. */
export type AskedFor = {
  readonly origins?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
}

type Restricted = Extract<Visibility, { kind: 'rules' }>

/**
 * Whether nothing of what is asked for could be closed to the caller. It looks at the rules and at the
 * request only, never at data, so telling the answer tells nothing about the records that there are.
 */
export function seesAll(visibility: Visibility, area: Area, asked: AskedFor = {}): boolean {
  if (visibility.kind === 'everything') return true
  const opened = openedWhole(visibility, area)
  const opens = (origin: string | null, type: string | null) => opened.has(keyOf(origin, type))
  if (opens(null, null)) return true
  const origins = asked.origins ?? [null]
  return (asked.types ?? [null]).every(
    (type) =>
      opens(null, type) || origins.every((origin) => opens(origin, null) || opens(origin, type)),
  )
}

/** The same rules come with every request until they change. */
const remembered = new WeakMap<Restricted, Map<Area, ReadonlySet<string>>>()

/** The pairs of origin and type that rules open whole: for every data type and period. */
function openedWhole(visibility: Restricted, area: Area): ReadonlySet<string> {
  const known = remembered.get(visibility) ?? new Map<Area, ReadonlySet<string>>()
  remembered.set(visibility, known)
  const cached = known.get(area)
  if (cached !== undefined) return cached
  const isWhole = (rule: AccessRule) =>
    (rule.area === null || rule.area === area) && rule.dataType === null && rule.period === null
  const found = new Set(
    visibility.rules.filter(isWhole).map(({ origin, type }) => keyOf(origin, type)),
  )
  known.set(area, found)
  return found
}

function keyOf(origin: string | null, type: string | null): string {
  return JSON.stringify([origin, type])
}
