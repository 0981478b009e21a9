import type { FastifyReply } from 'fastify'
import type { TextRow } from '../../storage/index.ts'
import type { Level } from '../catalogue/level.ts'
import { latestLevel } from '../catalogue/node-levels.ts'
import { readerOf } from './cell.ts'
import type { Page } from './load-pages.ts'
import { openPages } from './open-pages.ts'
import type { Opened, Reads } from './open-pages.ts'
import type { ReadPlan } from './plan.ts'

type ReadTime = (row: TextRow) => string | null | undefined

/**
 * Has an answer of latest values say in `Last-Modified` how fresh it is: the newest time of its values
 * that does not lie in the future, however lately it was asked for. An answer of several pages is on its
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
    tell: (reply: FastifyReply) => {
      if (newest !== undefined) void reply.header('last-modified', toHeader(newest))
    },
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
