import { byteOrderMark, toCsv } from '../../http/index.ts'
import { parseObject } from '../../lang/json.ts'
import { represent } from '../representation.ts'
import { defineFormat } from './format.ts'
import type { LoadedRecord, AnswerContext } from './format.ts'

/**
 * Table of RFC 4180: a header, a row for each record, CRLF at the end of each line, and a byte
 * order mark only if it is requested. Null and missing fields are empty cells; objects and arrays
 * are JSON.
 */
export const csv = defineFormat({
  name: 'csv',
  mediaTypes: ['text/csv'],
  summary: 'A table; `fields` chooses its columns',
  streams: true,
  needsColumns: true,
  ignores: [],
  list: (listing) => ({
    begin: () => toHeader(listing.columns, listing),
    records: (records) => toRows(records, listing.columns, listing),
    end: () => '',
  }),
  item: (record, context) => {
    const columns = columnsOf([record], context)
    return toHeader(columns, context) + toRows([record], columns, context)
  },
})

/**
 * Returns the columns of some records: the requested fields, otherwise every field that any of the
 * records has, in the order of their first appearance. The identifier comes first.
 */
export function columnsOf(
  records: readonly LoadedRecord[],
  context: Pick<AnswerContext, 'addressOf' | 'representation'>,
): readonly string[] {
  const { fields } = context.representation
  if (fields.length > 0) return [...new Set(['Id', ...fields.map(({ text }) => text)])]
  const names = new Set<string>()
  for (const record of records) {
    for (const name of Object.keys(toObject(record, context))) names.add(name)
  }
  return idFirst([...names])
}

export function idFirst(names: readonly string[]): readonly string[] {
  return names.includes('Id') ? ['Id', ...names.filter((name) => name !== 'Id')] : names
}

function toHeader(columns: readonly string[], { bom }: AnswerContext): string {
  const header = columns.length === 0 ? '' : toCsv([columns])
  return bom ? `${byteOrderMark}${header}` : header
}

function toRows(
  records: readonly LoadedRecord[],
  columns: readonly string[],
  context: AnswerContext,
): string {
  const known = new Set(columns)
  const rows = records.map((record) => {
    const members = new Map<string, unknown>(Object.entries(toObject(record, context)))
    for (const name of members.keys()) assertColumn(name, known)
    return columns.map((name) => members.get(name) ?? null)
  })
  return toCsv(rows)
}

/**
 * Asserts that a field has a column. The columns of a stream are determined before it starts, and a
 * field that appears later must not be lost.
 */
function assertColumn(name: string, columns: ReadonlySet<string>): void {
  if (columns.has(name)) return
  throw new Error(`A record got the field ${name} while the table was being written.`)
}

function toObject(
  { id, data }: LoadedRecord,
  { addressOf, representation }: Pick<AnswerContext, 'addressOf' | 'representation'>,
): object {
  return parseObject(represent(data, addressOf(id), representation))
}
