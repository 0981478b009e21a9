import { seesAll } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import type { Withheld } from '../../http/index.ts'
import type { TextRow } from '../../storage/index.ts'
import { measurement, provenance } from '../catalogue/groups.ts'
import type { Group } from '../catalogue/groups.ts'
import { dataTypeLevel, latestLevel } from '../catalogue/levels.ts'
import type { Level } from '../catalogue/levels.ts'
import type { Page } from './load-pages.ts'
import { readerOf } from '../../tables/index.ts'
import type { Names } from './members.ts'
import { openPages } from './open-pages.ts'
import type { Opened, Reads } from './open-pages.ts'
import type { ReadRequest, ReadPlan } from './plan.ts'

/**
 * Returns what a query withholds from its caller (decisions D6, D60). Stations, data types and
 * edges are always listed; a series without its value has fewer fields, and is omitted if `where`
 * tests its value or no other field is shown; closed values and events are omitted.
 */
export function withheldFrom(
  { representation, types, visibility }: Omit<ReadRequest, 'level'>,
  plan: Pick<ReadPlan, 'level' | 'testedGroups'> & ShownPlan,
): readonly Withheld[] {
  const { level } = plan
  if (representation.type === 'event') {
    return seesAll(visibility, 'event', { origins: named(types) }) ? [] : ['records']
  }
  if (level.dataType === undefined) return []
  if (seesAll(visibility, 'timeseries', { types: named(types) })) return []
  if (level !== dataTypeLevel) return ['records']
  const testsValues = ofValues.some((group) => plan.testedGroups.has(group))
  return testsValues || showsOnlyValues(plan) ? ['fields', 'records'] : ['fields']
}

type ShownPlan = Pick<ReadPlan, 'structure' | 'rows' | 'shown' | 'showNull'>

const ofValues: readonly Group[] = [measurement, provenance]

/** Reports whether a row without a value has no field to show, so that it is omitted. */
function showsOnlyValues({ structure, rows, shown, showNull }: ShownPlan): boolean {
  if (structure === 'tree' || rows === 'grouped' || showNull) return false
  return shown.every(({ group }) => ofValues.includes(group))
}

/**
 * Returns what a list of types withholds: it has only those origins of events that the caller may
 * see.
 */
export function withheldTypes(visibility: Visibility): readonly Withheld[] {
  return seesAll(visibility, 'event') ? [] : ['records']
}

function named(names: Names): readonly string[] | undefined {
  return names.kind === 'some' ? names.names : undefined
}

type ReadTime = (row: TextRow) => string | null | undefined

/**
 * Collects the `Last-Modified` header of a response with latest values: the newest time of its
 * values that is not in the future, however recently it was requested. A response of several pages
 * is already being sent before its last row is read, so it has no such header.
 */
export function newestTime(now: Date) {
  let newest: string | undefined
  const note = ({ rows, isLast }: Page, readTime: ReadTime) => {
    if (isLast) newest = newestOf(rows.map(readTime), now)
  }
  const open = async (reads: Reads, plan: ReadPlan): Promise<Opened> => {
    const opened = await openPages(reads, plan)
    // An aggregate covers many times.
    if (plan.rows === 'grouped') return opened
    return { ...opened, pages: noting(opened.pages, readerOf(opened.cells.timestamp), note) }
  }
  return {
    /** Returns reads that note the times of a response with latest values. */
    reading: (reads: Reads, level: Level): Reads =>
      level === latestLevel ? { ...reads, open } : reads,
    /** Returns the headers. Call it once the response is open. */
    headers: () => (newest === undefined ? {} : { 'last-modified': toHeader(newest) }),
  }
}

/**
 * Returns the newest time that is not in the future. Times are compared as text, which is correct
 * because PostgreSQL prints them in UTC.
 */
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

/**
 * Converts `2026-11-20 12:00:00.5+00` to an HTTP date in whole seconds (RFC 9110 section 5.6.7).
 */
function toHeader(printed: string): string {
  return new Date(`${printed.slice(0, 10)}T${printed.slice(11, 19)}Z`).toUTCString()
}
