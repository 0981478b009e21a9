import { quoteForWhere, readJson } from '../../api/index.ts'
import { readTime } from '../../language/zoned.ts'
import type { TrafficEvent } from '../events/event.ts'

/** A version of an event, as the time series service returns it. */
type State = {
  readonly evtransactiontime: string
  readonly evstart?: string
  readonly evend?: string
  readonly evcategory?: string
  readonly evldescription?: string
  readonly evlgeometry?: unknown
  readonly evmetadata?: unknown
}

/** Fields of an event that can change, by their names in the messages. */
const members = {
  start: 'evstart',
  end: 'evend',
  category: 'evcategory',
  place: 'evldescription',
  geometry: 'evlgeometry',
  metadata: 'evmetadata',
} as const

type Changed = keyof typeof members

export type Version = {
  readonly number: number
  readonly told: Date
  readonly end: Date | undefined
  readonly changed: readonly Changed[]
}

/**
 * Numbers the versions of an event in the order in which they were recorded, and returns them
 * newest first.
 */
export function toVersions(states: readonly State[]): readonly Version[] {
  const ordered = states.toSorted((a, b) => a.evtransactiontime.localeCompare(b.evtransactiontime))
  return ordered
    .map((state, index) => ({
      number: index + 1,
      told: toDate(state.evtransactiontime),
      end: state.evend === undefined ? undefined : toDate(state.evend),
      changed: changesOf(ordered[index - 1], state),
    }))
    .toReversed()
}

function changesOf(before: State | undefined, after: State): readonly Changed[] {
  if (before === undefined) return []
  return names.filter(
    (name) => JSON.stringify(before[members[name]]) !== JSON.stringify(after[members[name]]),
  )
}

const names = ['start', 'end', 'category', 'place', 'geometry', 'metadata'] as const

const toDate = (text: string) => readTime(text) ?? new Date(Number.NaN)

type States = { readonly data: readonly State[] }

/** Builds the request for all versions of an event. */
function versionsRequest({ id, origin }: TrafficEvent) {
  const path = `/v2/flat,event/${encodeURIComponent(origin)}`
  return { path, query: { where: `evseriesuuid.eq.${quoteForWhere(id)}`, limit: -1 } }
}

/** Loads the versions of an event, newest first. */
export async function loadVersions(
  event: TrafficEvent,
  signal: AbortSignal,
): Promise<readonly Version[]> {
  const { path, query } = versionsRequest(event)
  const { data } = await readJson<States>(path, query, signal)
  return toVersions(data)
}
