import { Readable } from 'node:stream'
import { weakEtag } from '../../http/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { printed } from '../catalogue/field.ts'
import { timePrinter } from '../time/print-time.ts'
import { flatWriter } from './flat-writer.ts'
import { loadPages, loadVersions } from './load-pages.ts'
import type { Page, Selection } from './load-pages.ts'
import type { Column, FieldColumn } from './members.ts'
import type { ReadPlan } from './plan.ts'
import { treeWriter } from './tree-writer.ts'
import type { Writer } from './writer.ts'

export type Answer = {
  readonly etag: string
  /** The whole text when one page holds it, otherwise a stream that reads as it is read. */
  readonly body: string | Readable
}

/** The tag that the answer to this plan would have now. Cheap: it reads no row. */
export async function answerEtag(
  database: Queryable,
  plan: ReadPlan,
  url: string,
): Promise<string> {
  return etagOf(plan, url, await loadVersions(database, plan))
}

/**
 * Runs a plan. The first page is read before anything is answered, so that what fails at once is a
 * proper error; what fails later destroys the stream, and with it the connection (decision D9).
 */
export async function openAnswer(
  database: Queryable,
  plan: ReadPlan,
  url: string,
): Promise<Answer> {
  const { selection, writer } = layOut(plan)
  const pages = loadPages(database, selection)
  const { value: first } = await pages.next()
  const etag = etagOf(plan, url, first?.versions ?? '')
  const head = `{"offset":${String(plan.offset)},"limit":${String(plan.limit ?? -1)},"data":`
  const start = head + writer.rows(first?.rows ?? [])
  if (first?.isLast !== false) return { etag, body: `${start}${writer.end()}}` }
  return { etag, body: Readable.from(write(start, pages, writer)) }
}

async function* write(start: string, pages: AsyncIterable<Page>, writer: Writer) {
  yield start
  for await (const { rows } of pages) yield writer.rows(rows)
  yield `${writer.end()}}`
}

/** Decides where in a row each field stands: after the keys and the mark for an entry of the tree. */
function layOut(plan: ReadPlan): { readonly selection: Selection; readonly writer: Writer } {
  const { level, groups, order } = plan
  const present = order.columns.length
  const fields = groups.flatMap((group) => group.fields.map((field) => ({ group, field })))
  const columns = fields.map(({ group, field }, place): FieldColumn => ({
    key: field.name,
    type: field.type,
    group,
    index: present + 1 + place,
  }))
  const style = { showNull: plan.showNull, printTime: timePrinter(plan.zone) }
  const writer =
    plan.structure === 'flat'
      ? flatWriter([...timestampOf(plan), ...columns], style)
      : treeWriter({ shape: level.tree, columns, present }, style)
  const mark = level.tree.list?.present ?? sql`null::integer`
  return {
    selection: { plan, columns: [mark, ...fields.map(({ field }) => printed(field))] },
    writer,
  }
}

function timestampOf({ level: { timestamp } }: ReadPlan): readonly Column[] {
  return timestamp === undefined ? [] : [{ key: '_timestamp', type: 'time', index: timestamp.key }]
}

/** The plan holds the caller's rights, so two callers share a tag only if they see the same. */
function etagOf({ from, where }: ReadPlan, url: string, versions: string): string {
  const rights = JSON.stringify([from.text, from.values, where.text, where.values])
  return weakEtag([versions, url, rights])
}
