import { Readable } from 'node:stream'
import { inSteps, yieldToEventLoop } from '../../async/index.ts'
import { weakEtag } from '../../http/index.ts'
import type { FormatChoice } from '../../http/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import { readerOf } from '../../tables/index.ts'
import type { Cell } from '../../tables/index.ts'
import type { Group } from '../catalogue/groups.ts'
import type { Level, TreeLevel, TreeShape } from '../catalogue/levels.ts'
import type { AnswerWriter, Format, Writer } from '../formats/format.ts'
import type { Shown } from '../select/resolve.ts'
import { timePrinter } from '../time.ts'
import { assertReferenceSystems } from '../where/resolve.ts'
import { loadVersions } from './load-pages.ts'
import type { Page } from './load-pages.ts'
import { membersOf, objectMembersOf } from './members.ts'
import type { Column, FieldColumn, Style, WriteMembers } from './members.ts'
import { openPages } from './open-pages.ts'
import type { Cells, Opened, Reads } from './open-pages.ts'
import type { ReadPlan } from './plan.ts'
import { loadKinds } from './values/packing.ts'
import type { ValueKinds } from './values/packing.ts'
import { isComparable, openSink, smallest, writeWhole } from './write-whole.ts'

/**
 * Writes an array with one object per row and all fields on one level (interface 4.8). A row
 * without any field to show is omitted, though it counts towards the limit (reference 1.12).
 */
export function flatWriter(columns: readonly Column[], style: Style): Writer {
  const write = membersOf(columns, style)
  let opening = '[{'
  return {
    rows: (rows) => {
      let text = ''
      for (const row of rows) {
        const members = write(row)
        if (members === '') continue
        text += opening + members
        opening = '},{'
      }
      return text
    },
    end: () => (opening === '[{' ? '[]' : '}]'),
  }
}

type Layout = {
  readonly shape: TreeShape
  readonly columns: readonly FieldColumn[]
  /** Cells with the keys of the objects, in the order of the tree. */
  readonly keys: readonly Cell[]
  /** Cell that is not null if the row has an entry in the list. */
  readonly present: Cell
}

/**
 * Writes the tree (reference 1.8) as the rows arrive. Rows are sorted by their keys, so an object
 * is closed as soon as a key changes, and only the keys of the open objects are kept in memory.
 */
export function treeWriter(layout: Layout, style: Style): Writer {
  const { shape, columns, keys, present } = layout
  const levels = shape.levels.map((level, depth) => ({
    keyOf: readerOf(keys[level.key] ?? { index: level.key }),
    write: objectMembersOf(level, columns, style),
    below: openingOf(shape.levels[depth + 1]),
  }))
  const isPresent = readerOf(present)
  const tree: OpenTree = { levels, keys: [], comma: '', isListOpen: false }
  const { list } = shape
  const writeEntry = list && objectMembersOf(list, columns, style)
  let opening = '{'
  const take = (text: string) => {
    const taken = opening + text
    opening = ''
    return taken
  }
  return {
    rows: (rows) => {
      let text = ''
      for (const row of rows) {
        text += enter(tree, row)
        if (list === undefined || writeEntry === undefined || isPresent(row) === null) continue
        text += addEntry(tree, list.member, writeEntry(row))
      }
      return take(text)
    },
    end: () => take(`${closeTo(tree, 0)}}`),
  }
}

type OpenLevel = {
  readonly keyOf: ReturnType<typeof readerOf>
  readonly write: WriteMembers
  /**
   * Opens the field that holds the objects of the next level; undefined for the innermost level.
   */
  readonly below: string | undefined
}

function openingOf(below: TreeLevel | undefined): string | undefined {
  return below === undefined ? undefined : `${JSON.stringify(below.within)}:{`
}

/** State of the tree that is being written. */
type OpenTree = {
  readonly levels: readonly OpenLevel[]
  /** Keys of the open objects, from the outermost to the innermost. */
  readonly keys: (string | null | undefined)[]
  /** Separator before the next field. Empty before the first field of an object. */
  comma: '' | ','
  isListOpen: boolean
}

/** Closes the open objects that the row is not in, and opens the objects that it is in. */
function enter(tree: OpenTree, row: TextRow): string {
  const { levels, keys } = tree
  let depth = 0
  while (depth < keys.length && keys[depth] === levels[depth]?.keyOf(row)) depth += 1
  if (depth === levels.length) return ''
  let text = closeTo(tree, depth)
  for (const level of levels.slice(depth)) text += openObject(tree, level, row)
  return text
}

function openObject(tree: OpenTree, { keyOf, write, below }: OpenLevel, row: TextRow): string {
  const key = keyOf(row)
  const members = write(row)
  const text = `${tree.comma}${JSON.stringify(key)}:{${members}`
  const comma = members === '' ? '' : ','
  tree.keys.push(key)
  tree.comma = below === undefined ? comma : ''
  return below === undefined ? text : `${text}${comma}${below}`
}

function addEntry(tree: OpenTree, member: string, members: string): string {
  const opening = tree.isListOpen ? ',' : `${tree.comma}${JSON.stringify(member)}:[`
  tree.isListOpen = true
  return `${opening}{${members}}`
}

/**
 * Closes all objects below a depth. An object above the innermost level keeps its children in a
 * field of its own, so it ends with two braces.
 */
function closeTo(tree: OpenTree, depth: number): string {
  let text = tree.isListOpen ? ']' : ''
  tree.isListOpen = false
  while (tree.keys.length > depth) {
    text += tree.keys.length < tree.levels.length ? '}}' : '}'
    tree.keys.pop()
    tree.comma = ','
  }
  return text
}

/** The requested format of a response, and its URL. */
type AnswerForm = {
  readonly url: string
  readonly choice: FormatChoice<Format>
  readonly bom: boolean
}

type Answer = {
  readonly etag: string
  /** The whole text if one page holds it, otherwise a stream that loads pages while it is read. */
  readonly body: Buffer | Readable
}

/** Returns the entity tag that the response to this plan would have now. Cheap: reads no rows. */
export async function answerEtag(
  database: Queryable,
  plan: ReadPlan,
  wanted: AnswerForm,
): Promise<string> {
  return etagOf(plan, wanted, await loadVersions(database, plan))
}

/**
 * Runs a plan. Reads the first page before anything is sent, so that an early failure becomes a
 * proper error response; a later failure destroys the stream, and with it the connection (decision
 * D9).
 * @throws AppError HUB-QRY-008 for a reference system that the database does not have
 */
export async function openAnswer(
  reads: Reads,
  plan: ReadPlan,
  wanted: AnswerForm,
): Promise<Answer> {
  await assertReferenceSystems(reads.database, plan.systems)
  const opened = await (reads.open ?? openPages)(reads, plan)
  const { pages } = opened
  const kinds = await kindsFor(reads.database, plan, { opened, wanted })
  const writer = await writerOf(plan, { ...opened, kinds }, wanted)
  const { value: first } = await pages.next()
  const { rows = [], written, isLast, isStale } = first ?? {}
  const etag = etagOf(plan, wanted, first?.versions ?? '')
  const slice = Math.max(1, Math.floor(cellsAtOnce / Math.max(1, plan.shown.length)))
  if (written !== undefined && wanted.choice.format.isBinary !== true) {
    const form = `${wanted.choice.mediaType} ${wanted.url}`
    const answer = await writeWhole(rows, { writer, slice, before: written.get(form) })
    if (isComparable(answer) && isStale !== true) written.set(form, answer)
    return { etag, body: answer.bytes }
  }
  const step = wanted.choice.format.isBinary === true ? slice : Math.ceil(slice / textsOfSlice)
  const pieces = write(rows, pages, { writer, slice, step })
  if (isLast === false) return { etag, body: Readable.from(asBytes(pieces)) }
  return { etag, body: await wholeOf(pieces, rows.length / slice) }
}

type Piece = string | Uint8Array

async function wholeOf(pieces: AsyncIterable<Piece>, expected: number): Promise<Buffer> {
  const sink = openSink(smallest)
  let left = expected
  for await (const piece of pieces) sink.add(piece, Math.max(0, (left -= 1)))
  return sink.bytes()
}

/** Encodes texts, because the stream itself would take several times as long. */
async function* asBytes(pieces: AsyncIterable<Piece>) {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

/**
 * Number of cells that are written without a pause, in some milliseconds. Then other requests have
 * their turn.
 */
const cellsAtOnce = 4000

/**
 * Number of texts per slice, so that each has some 10 kB. Encoding a long text is several times
 * slower.
 */
const textsOfSlice = 16

type Writing = {
  readonly writer: AnswerWriter
  /** Number of rows that are written without a pause. */
  readonly slice: number
  /** Number of rows per text. */
  readonly step: number
}

async function* write(first: Page['rows'], pages: AsyncIterable<Page>, writing: Writing) {
  const { writer } = writing
  yield* inSteps(writer.begin())
  yield* writeRows(first, writing)
  for await (const { rows } of pages) yield* writeRows(rows, writing)
  yield* inSteps(writer.end())
}

async function* writeRows(rows: Page['rows'], { writer, slice, step }: Writing) {
  const sink = openSink(smallest)
  for (let from = 0; from < rows.length; from += slice) {
    if (from > 0) await yieldToEventLoop()
    const until = Math.min(from + slice, rows.length)
    for (let start = from; start < until; start += step) {
      const written = writer.rows(rows.slice(start, Math.min(start + step, until)))
      if (typeof written === 'string') sink.add(written)
      else yield* inSteps(written)
    }
    if (sink.length() > 0) yield sink.take()
  }
  if (rows.length > slice) await yieldToEventLoop()
}

type Known = { readonly cells: Cells; readonly kinds: ValueKinds }

/** Opens a writer for the cells of a plan's rows, in the requested format. */
function writerOf(
  plan: ReadPlan,
  { cells: { shown, timestamp, keys, present }, kinds }: Known,
  { choice, bom }: AnswerForm,
): AnswerWriter | Promise<AnswerWriter> {
  const style = { showNull: plan.showNull, printTime: timePrinter(plan.zone) }
  const columns = plan.shown.flatMap((field, place) => {
    const cell = shown[place]
    return cell === undefined ? [] : [{ ...field, ...cell }]
  })
  const { offset, askedLimit: limit } = plan
  const listing = { offset, limit, style, bom, kinds, zone: plan.zone.name }
  if (plan.structure === 'flat') {
    const flat = columns.map(({ key, type, index, of }): Column => ({ key, type, index, of }))
    const all = [...timestampOf(plan, timestamp), ...flat]
    return choice.format.open({ ...listing, columns: all, data: flatWriter(all, style) })
  }
  const inTree = columns.map(({ member, inner, type, index, of, ...shown }): FieldColumn => {
    return { key: member, inner, type, group: groupInTree(shown, plan.level), index, of }
  })
  const layout = { shape: shapeOf(plan), columns: inTree, keys, present }
  return choice.format.open({ ...listing, columns, data: treeWriter(layout, style) })
}

/**
 * Returns the kinds of the values. Binary formats state the types of columns before the first value
 * is read.
 */
async function kindsFor(
  database: Queryable,
  { kinds, shown }: ReadPlan,
  { opened, wanted }: { readonly opened: Opened; readonly wanted: AnswerForm },
): Promise<ValueKinds> {
  const isWanted =
    wanted.choice.format.isBinary === true && shown.some(({ type }) => type === 'value')
  if (opened.kinds !== undefined) return opened.kinds
  return isWanted && kinds !== undefined ? loadKinds(database, kinds) : { text: false, json: false }
}

/**
 * Returns the timestamp column, if there is one. Grouped rows have none, because an aggregate
 * covers many times.
 */
function timestampOf({ level: { timestamp }, rows }: ReadPlan, cell: Cell): readonly Column[] {
  if (timestamp === undefined || rows === 'grouped') return []
  return [{ ...cell, key: '_timestamp', type: 'time' }]
}

/**
 * Returns the shape of the tree. Grouped rows start with the keys of the tree. An optional list
 * exists only if a field in it is shown.
 */
function shapeOf({ level, rows, shown }: ReadPlan): TreeShape {
  const { tree } = level
  const { list } = tree
  const listed = [...(list?.own ?? []), ...(list?.inline ?? []).map(({ group }) => group)]
  const hasList =
    list?.isAlways === true || shown.some((one) => listed.includes(groupInTree(one, level)))
  return {
    levels: rows === 'every' ? tree.levels : tree.levels.map((part, key) => ({ ...part, key })),
    list: hasList ? list : undefined,
  }
}

/**
 * Returns the group that a field is written in. An aggregate describes a group of rows, so it
 * belongs to an entry of the list.
 */
function groupInTree(
  { aggregate, group }: Pick<Shown, 'aggregate' | 'group'>,
  { tree: { list } }: Level,
): Group {
  return (aggregate && list?.own[0]) ?? group
}

/**
 * Returns the entity tag. It covers the caller's rights, so two callers share a tag only if they
 * see the same.
 */
function etagOf({ rights }: ReadPlan, { url, choice }: AnswerForm, versions: string): string {
  return weakEtag([versions, url, choice.mediaType, rights])
}
