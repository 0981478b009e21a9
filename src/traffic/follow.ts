import { createHash } from 'node:crypto'
import type { EventItem } from '../timeseries/index.ts'
import type { ReadPublication, ReadSituation } from './read-publication.ts'

type Live = Pick<ReadSituation, 'versionTime' | 'item'> & {
  /** The content of the source; undefined if only the feed of the following hub has been read. */
  readonly content?: string
}

/** Situations of another feed that a hub has and that have not ended, by id. */
export type Held = ReadonlyMap<string, Live>

/**
 * Returns the situations that a hub has, according to its own feed. Events that others push to the
 * same origin are excluded.
 */
export function heldBy({ situations }: ReadPublication): Held {
  return new Map(
    situations
      .filter(({ phase, isForwarded }) => phase === 'live' && isForwarded)
      .map(({ id, versionTime, item }) => [id, { versionTime, item }]),
  )
}

type Step = {
  /** Events to push. */
  readonly items: readonly EventItem[]
  /** Situations that the hub has after the push. */
  readonly held: Held
}

/**
 * Returns what a hub is missing of a publication: situations that are new or have another version,
 * and the ends of situations that ended, were cancelled, or are missing in a whole document. The
 * same publication and the same `held` give the same identifiers, so that a repeated push changes
 * nothing.
 */
export function stepTo(
  publication: ReadPublication,
  { held, isComplete }: { readonly held: Held; readonly isComplete: boolean },
): Step {
  const { publicationTime, situations } = publication
  const items: EventItem[] = []
  const next = new Map(held)
  const add = (situation: Pick<ReadSituation, 'id' | 'versionTime' | 'phase' | 'item'>) => {
    const { id, versionTime, phase, item } = situation
    items.push({ uuid: identify([id, versionTime, publicationTime.toISOString(), phase]), ...item })
  }
  for (const situation of situations) {
    const known = held.get(situation.id)
    const content = JSON.stringify(situation.item)
    if (situation.phase === 'live') {
      if (!isKnown(known, situation, content)) add(situation)
      next.set(situation.id, { ...situation, content })
    } else if (known !== undefined) {
      if (situation.phase === 'cancelled' || situation.item.end !== known.item.end) add(situation)
      next.delete(situation.id)
    }
  }
  if (isComplete) {
    const present = new Set(situations.map(({ id }) => id))
    for (const [id, { versionTime, item }] of held) {
      if (present.has(id)) continue
      next.delete(id)
      const left = leave(item, publicationTime)
      if (left !== undefined) add({ id, versionTime, ...left })
    }
  }
  return { items, held: next }
}

function isKnown(known: Live | undefined, { versionTime }: ReadSituation, content: string) {
  if (known?.versionTime !== versionTime) return false
  return known.content === undefined || known.content === content
}

/**
 * Returns how a situation ends that its feed no longer contains, or undefined if its end was
 * already stated.
 */
function leave(item: Live['item'], time: Date): Pick<ReadSituation, 'phase' | 'item'> | undefined {
  const isOver = (written: string | null | undefined) =>
    typeof written === 'string' && new Date(written) <= time
  if (isOver(item.end)) return undefined
  return isOver(item.start)
    ? { phase: 'ended', item: { ...item, end: time.toISOString() } }
    : { phase: 'cancelled', item: { ...item, cancelled: true } }
}

function identify(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
