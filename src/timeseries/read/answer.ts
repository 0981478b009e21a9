import { Readable } from 'node:stream'
import { weakEtag } from '../../http/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { TreeShape } from '../catalogue/level.ts'
import { timePrinter } from '../time/print-time.ts'
import { flatWriter } from './flat-writer.ts'
import { loadPages, loadVersions } from './load-pages.ts'
import type { Page } from './load-pages.ts'
import type { Column, FieldColumn } from './members.ts'
import type { ReadPlan } from './plan.ts'
import { toSelection } from './selection.ts'
import type { Selection } from './selection.ts'
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
  const head = `{"offset":${String(plan.offset)},"limit":${String(plan.askedLimit)},"data":`
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
  const selection = toSelection(plan)
  const present = selection.order.columns.length
  const style = { showNull: plan.showNull, printTime: timePrinter(plan.zone) }
  const columns = plan.shown.map((shown, place) => ({ ...shown, index: present + 1 + place }))
  if (plan.structure === 'flat') {
    const flat = columns.map(({ key, type, index }): Column => ({ key, type, index }))
    return { selection, writer: flatWriter([...timestampOf(plan), ...flat], style) }
  }
  const inTree = columns.map(({ member, inner, type, group, index }): FieldColumn => {
    return { key: member, inner, type, group, index }
  })
  const layout = { shape: shapeOf(plan), columns: inTree, present }
  return { selection, writer: treeWriter(layout, style) }
}

/** An aggregate belongs to many times. */
function timestampOf({ level: { timestamp }, rows }: ReadPlan): readonly Column[] {
  if (timestamp === undefined || rows === 'grouped') return []
  return [{ key: '_timestamp', type: 'time', index: timestamp.key }]
}

/** Grouped rows begin with the keys of the tree; an optional list is there if something is in it. */
function shapeOf({ level: { tree }, rows, shown }: ReadPlan): TreeShape {
  const { list } = tree
  const listed = [...(list?.own ?? []), ...(list?.inline ?? []).map(({ group }) => group)]
  const hasList = list?.isAlways === true || shown.some(({ group }) => listed.includes(group))
  return {
    levels: rows === 'every' ? tree.levels : tree.levels.map((part, key) => ({ ...part, key })),
    list: hasList ? list : undefined,
  }
}

/** The plan holds the caller's rights, so two callers share a tag only if they see the same. */
function etagOf({ from, where }: ReadPlan, url: string, versions: string): string {
  const rights = JSON.stringify([from.text, from.values, where.text, where.values])
  return weakEtag([versions, url, rights])
}
