import { AppError } from '../errors/index.ts'
import { objectsOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { Ask, Parameters } from './ask-hub.ts'
import type { Dataset } from './dataset.ts'
import { fit } from './result.ts'
import type { Result } from './result.ts'

/** A query for rows of the time series service. */
export type Rows = {
  readonly dataset: Dataset
  readonly path: string
  /** Parameters that select the rows. */
  readonly where: Parameters
  /** Selected fields, or undefined for all. */
  readonly select: readonly string[] | undefined
  readonly page: { readonly limit: number; readonly offset: number }
}

/** Returns a page of rows, one item per row, with their exact total. */
export async function stationPage(ask: Ask, rows: Rows): Promise<Result> {
  const { dataset, path, where, select, page } = rows
  const answer = await ask(path, { ...where, select, ...page })
  const found = objectsOf(answer.body['data']).map(withoutStamp)
  const items = fit(found)
  const total = await countRows(ask, rows, found.length)
  return {
    answer,
    facts: dataset.facts,
    ...moreAfter({ page, shown: items.length, total }),
    data: { items },
  }
}

/**
 * Removes `_timestamp`, which repeats a time that the row has under its own name or that was not
 * selected.
 */
export function withoutStamp(row: Members): Members {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== '_timestamp'))
}

/** Returns the total number of rows. Requests it from the hub unless the page itself shows it. */
export async function countRows(
  ask: Ask,
  { path, where, page }: Pick<Rows, 'path' | 'where' | 'page'>,
  found: number,
): Promise<number> {
  const isLast = found < page.limit && (found > 0 || page.offset === 0)
  if (isLast) return page.offset + found
  const { body } = await ask(path, { ...where, select: 'count' })
  return Number(objectsOf(body['data'])[0]?.['count'] ?? 0)
}

type Shown = { readonly page: Rows['page']; readonly shown: number; readonly total: number }

/** Returns the total, and the cursor of the next page if there is one. */
export function moreAfter({ page, shown, total }: Shown): Pick<Result, 'total' | 'cursor'> {
  const next = page.offset + shown
  return { total, ...(next < total ? { cursor: String(next) } : {}) }
}

/**
 * Parses the cursor of a page of rows, which is the number of rows before it.
 * @throws AppError HUB-QRY-001
 */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new AppError('HUB-QRY-001', 'The cursor is not one of this tool.', {
    hint: 'Use the cursor of the previous result, or none.',
  })
}
