import { newestChangeOf, printPublication, writeDeparted } from './publication.ts'
import type { Printed, Publication, WrittenEvent } from './publication.ts'
import type { Supplier } from './situation.ts'

/** What a document remembers of previous documents. Times are publication times in ms. */
export type History = {
  /**
   * The documents since which all changes are known, oldest first. The time of the document itself
   * is missing if another node may have published other content with it.
   */
  readonly known: readonly number[]
  /** Every situation that changed or left since the oldest of these documents, by its id. */
  readonly changes: ReadonlyMap<string, Change>
}

type Change = {
  /** Time of the first document with the current state of the situation. */
  readonly at: number
  /**
   * Whether the change itself is older than that document, because it was stored late. Another node
   * may have published a document with the same time without it.
   */
  readonly isLate: boolean
  /** The situation as written. One that left is written once more, as ended or cancelled. */
  readonly written: WrittenEvent
}

/** A document with its history. */
type Remembered = Pick<Publication, 'publicationTime' | 'written'> & { readonly history: History }

type Context = {
  readonly previous: Remembered | undefined
  readonly supplier: Supplier
  readonly now: Date
  /** For a first document: whether every other document with its time has the same content. */
  readonly isSettled: boolean
}

/** Milliseconds for which changes are known. */
const longest = 24 * 3_600_000

const nothing: History = { known: [], changes: new Map() }

/** Returns the history of a document that follows another one, or starts a new history. */
export function toHistory(publication: Publication, context: Context): History {
  const { previous, isSettled } = context
  const time = publication.publicationTime.getTime()
  if (previous === undefined) return isSettled ? { ...nothing, known: [time] } : nothing
  const { history } = previous
  if (isMissingOne(publication, previous)) return nothing
  if (time === previous.publicationTime.getTime()) return history
  const changes = new Map([
    ...history.changes,
    ...newChanges(publication, { ...context, previous }),
  ])
  const known = [...history.known, time].filter((one) => one > time - longest)
  return { known, changes: recent(changes, known[0] ?? time) }
}

/**
 * Reports whether an event of the history is no longer visible, for example because it is closed
 * now. Nothing may reveal it, not even that it has left, so only the whole document can show what
 * remains.
 */
function isMissingOne({ written }: Publication, previous: Remembered): boolean {
  const published = [...previous.written].filter(([, { situation }]) => situation !== undefined)
  return [...published, ...previous.history.changes].some(
    ([id]) => written.get(id)?.candidate === undefined,
  )
}

function newChanges(
  { written, publicationTime }: Publication,
  { previous, supplier, now }: Context & { readonly previous: Remembered },
): readonly (readonly [id: string, change: Change])[] {
  const at = publicationTime.getTime()
  const context = { supplier, now: now.getTime() }
  return [...written].flatMap(([id, event]) => {
    const before = previous.written.get(id)
    if (before?.situation?.printed === event.situation?.printed) return []
    const isAnnounced = before?.phase === 'ended' || before?.phase === 'cancelled'
    if (event.situation === undefined && isAnnounced) return []
    const shown = event.situation === undefined ? writeDeparted(event, context) : event
    const isLate = newestChangeOf(event, now) < at || !isNextState(event, before)
    return [[id, { at, isLate, written: shown }] as const]
  })
}

/**
 * Reports whether only the newest state has changed, and not an earlier one that was stored late.
 */
function isNextState({ event, fingerprint }: WrittenEvent, before: WrittenEvent | undefined) {
  if (before === undefined) return event.version === 1
  if (before.fingerprint === fingerprint) return true
  const isReplaced = event.uuid === before.event.uuid
  return event.version === before.event.version + (isReplaced ? 0 : 1)
}

function recent(changes: ReadonlyMap<string, Change>, oldest: number): History['changes'] {
  return new Map([...changes].filter(([, change]) => isAfter(change, oldest)))
}

function isAfter({ at, isLate }: Change, time: number): boolean {
  return at > time || (isLate && at === time)
}

/**
 * Returns what changed since the document with another publication time, as a publication of its
 * own: situations that are new or different, and situations that left, as ended or cancelled.
 * @returns undefined if not all changes since then are known
 */
export function changesSince(
  { publicationTime, history }: Pick<Remembered, 'publicationTime' | 'history'>,
  { since, supplier }: { readonly since: Date; readonly supplier: Supplier },
): Printed | undefined {
  const time = since.getTime()
  if (!history.known.includes(time)) return undefined
  const changed = [...history.changes].filter(([, change]) => isAfter(change, time))
  const written = new Map(
    changed
      .map(([id, change]) => [id, change.written] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )
  const situations = [...written.values()].flatMap(({ situation }) => situation ?? [])
  return { publicationTime, written, xml: printPublication(situations, supplier, publicationTime) }
}
