import { seesAll } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import type { Withheld } from '../../http/index.ts'
import type { TextRow } from '../../storage/index.ts'
import { dataTypeLevel, latestLevel } from '../catalogue/levels.ts'
import type { Level } from '../catalogue/levels.ts'
import type { Page } from './load-pages.ts'
import { readerOf } from '../../tables/index.ts'
import type { Names } from './members.ts'
import { openPages } from './open-pages.ts'
import type { Opened, Reads } from './open-pages.ts'
import type { ReadRequest, ReadPlan } from './plan.ts'

/**
 * What a read does not show its caller (decisions D6, D60). Stations, data types and edges are always
 * listed; a series without its value has fewer fields; values and events that are closed are left out.
 */
export function withheldFrom(asked: ReadRequest): readonly Withheld[] {
  const { representation, level, types, visibility } = asked
  if (representation.type === 'event') {
    return seesAll(visibility, 'event', { origins: named(types) }) ? [] : ['records']
  }
  if (level.dataType === undefined) return []
  if (seesAll(visibility, 'timeseries', { types: named(types) })) return []
  return level === dataTypeLevel ? ['fields'] : ['records']
}

/** A list of types shows the origins of events that the caller may see, and no others. */
export function withheldTypes(visibility: Visibility): readonly Withheld[] {
  return seesAll(visibility, 'event') ? [] : ['records']
}

function named(names: Names): readonly string[] | undefined {
  return names.kind === 'some' ? names.names : undefined
}

type ReadTime = (row: TextRow) => string | null | undefined

/**
 * Has an answer of latest values say in `Last-Modified` how fresh it is: the newest time of its values
 * that does not lie in the future, however lately it was requested. An answer of several pages is on its
 * way before its last row is read, and says nothing.
 */
export function newestTime(now: Date) {
  let newest: string | undefined
  const note = ({ rows, isLast }: Page, readTime: ReadTime) => {
    if (isLast) newest = newestOf(rows.map(readTime), now)
  }
  const open = async (reads: Reads, plan: ReadPlan): Promise<Opened> => {
    const opened = await openPages(reads, plan)
    // An aggregate belongs to many times.
    if (plan.rows === 'grouped') return opened
    return { ...opened, pages: noting(opened.pages, readerOf(opened.cells.timestamp), note) }
  }
  return {
    /** How the answer is to be read. */
    reading: (reads: Reads, level: Level): Reads =>
      level === latestLevel ? { ...reads, open } : reads,
    /** Once the answer is open. */
    headers: () => (newest === undefined ? {} : { 'last-modified': toHeader(newest) }),
  }
}

/** As PostgreSQL prints them in UTC, times compare as texts. */
function newestOf(times: readonly ReturnType<ReadTime>[], now: Date): string | undefined {
  const latest = now.toISOString().replace('T', ' ').replace('Z', '+00')
  let newest: string | undefined
  for (const time of times) {
    if (typeof time !== 'string' || time > latest) continue
    if (newest === undefined || time > newest) newest = time
  }
  return newest
}

async function* noting(
  pages: Opened['pages'],
  readTime: ReadTime,
  note: (page: Page, readTime: ReadTime) => void,
): Opened['pages'] {
  let isFirst = true
  for await (const page of pages) {
    if (isFirst) note(page, readTime)
    isFirst = false
    yield page
  }
}

/** `2026-11-20 12:00:00.5+00`, in whole seconds (RFC 9110 section 5.6.7). */
function toHeader(printed: string): string {
  return new Date(`${printed.slice(0, 10)}T${printed.slice(11, 19)}Z`).toUTCString()
}
