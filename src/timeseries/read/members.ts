import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { Cell, WrittenRow } from '../../tables/index.ts'
import type { FieldType, Group } from '../catalogue/groups.ts'
import type { Inline, TreeObject } from '../catalogue/levels.ts'
import type { PrintTime } from '../time.ts'

/** The names that a list in a path stands for: those in it, or all (reference 1.1). */
export type Names =
  | { readonly kind: 'all' }
  | { readonly kind: 'some'; readonly names: readonly string[] }

/** Reads a list segment: names between commas, compared exactly; a star among them means all. */
export function parseNames(segment: string): Names {
  const names = segment
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.includes('*') ? { kind: 'all' } : { kind: 'some', names: [...new Set(names)] }
}

/** The condition that a column holds one of the names. */
export function isNamed(column: Sql, wanted: Names): readonly Sql[] {
  return wanted.kind === 'all' ? [] : [sql`${column} = any(${wanted.names}::text[])`]
}

/** A shown field: its key in the answer, what it holds and where it stands. */
export type Column = Cell & {
  readonly key: string
  /** In the tree, what a path into JSON leads to stands one level below its field (reference 1.8). */
  readonly inner?: string | undefined
  readonly type: FieldType
}

/** A field of the catalogue; its group says where in the tree it belongs. */
export type FieldColumn = Column & { readonly group: Group }

/** How values are printed. */
export type Style = { readonly showNull: boolean; readonly printTime: PrintTime }

/** Writes the members of an object as JSON, without its braces; empty when there are none. */
export type WriteMembers = (row: TextRow) => string

/** Writes some columns as members: null members only when nulls are shown (reference 1.8). */
export function membersOf(columns: readonly Column[], style: Style): WriteMembers {
  const plain = plainMembersOf(
    columns.filter(({ inner }) => inner === undefined),
    style,
  )
  const whole = new Set(columns.filter(({ inner }) => inner === undefined).map(({ key }) => key))
  const parted = [...Map.groupBy(columns, ({ key }) => key)].filter(([key]) => !whole.has(key))
  return joined([plain, ...parted.map(([key, parts]) => partsOf(key, parts, style))])
}

/** Parts of one field, as an object in its member; the whole field would hold them anyway. */
function partsOf(key: string, parts: readonly Column[], style: Style): WriteMembers {
  const inside = parts.map(({ inner = '', ...part }) => ({ ...part, key: inner }))
  return inMember(key, plainMembersOf(inside, style), 'whenFilled')
}

/** @param presence whether the object is there even when nothing is in it */
function inMember(
  key: string,
  write: WriteMembers,
  presence: 'always' | 'whenFilled',
): WriteMembers {
  const opening = `${JSON.stringify(key)}:{`
  return (row) => {
    const members = write(row)
    return members === '' && presence === 'whenFilled' ? '' : `${opening}${members}}`
  }
}

function joined(writers: readonly WriteMembers[]): WriteMembers {
  const [first, ...others] = writers
  if (first !== undefined && others.length === 0) return first
  return (row) => {
    let text = ''
    for (const write of writers) {
      const members = write(row)
      if (members !== '') text = text === '' ? members : `${text},${members}`
    }
    return text
  }
}

function plainMembersOf(columns: readonly Column[], style: Style): WriteMembers {
  const runs: Column[][] = []
  for (const column of columns) {
    const run = runs.at(-1)
    if (run !== undefined && run[0]?.of === column.of) run.push(column)
    else runs.push([column])
  }
  return joined(runs.map((run) => runOf(run, style)))
}

/** Members that stand in one place; what rows share is written once for each, and remembered with it. */
function runOf(columns: readonly Column[], style: Style): WriteMembers {
  const write = listMembers(columns, style)
  const of = columns[0]?.of
  if (of === undefined) return write
  const form = JSON.stringify([style.showNull, columns.map(({ key, index }) => [key, index])])
  const texts = of.written?.get(form) ?? new Map<string, WrittenRow>()
  of.written?.set(form, texts)
  return (row) => {
    const id = row[of.key] ?? ''
    const shared = of.rows.get(id) ?? none
    const known = texts.get(id)
    if (known?.row === shared) return known.text
    const text = inOnePiece(write(shared))
    texts.set(id, { row: shared, text })
    return text
  }
}

const none: TextRow = []

/** A text that is put together of many is otherwise walked through each time that it is sent. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

function listMembers(columns: readonly Column[], style: Style): WriteMembers {
  const end = columns.findIndex(({ type }) => type !== 'time')
  const times = columns.slice(0, end === -1 ? columns.length : end)
  const writeTimes = forEqualTimes(times, style)
  const write = eachMember(columns.slice(times.length), style)
  return (row) => write(row, writeTimes(row))
}

/** Rows that follow each other often have the same times, which are then written once. */
function forEqualTimes(times: readonly Column[], style: Style): WriteMembers {
  const write = eachMember(times, style)
  const places = times.map(({ index }) => index)
  let last: TextRow = []
  let text: string | undefined
  let isWhole = false
  return (row) => {
    if (text === undefined || places.some((place) => row[place] !== last[place])) {
      text = write(row, '')
      isWhole = false
      last = row
    } else if (!isWhole) {
      text = inOnePiece(text)
      isWhole = true
    }
    return text
  }
}

/** A text is sent the faster the fewer parts it is made of, so a comma is part of what a member begins with. */
function eachMember(columns: readonly Column[], style: Style) {
  const members = columns.map(({ key, type, index }) => ({
    first: `${JSON.stringify(key)}:`,
    next: `,${JSON.stringify(key)}:`,
    encode: encoderOf(type, style),
    index,
  }))
  return (row: TextRow, before: string) => {
    let text = before
    for (const { first, next, encode, index } of members) {
      const value = row[index]
      const isThere = value !== null && value !== undefined
      if (!isThere && !style.showNull) continue
      text += (text === '' ? first : next) + (isThere ? encode(value) : 'null')
    }
    return text
  }
}

/** Writes what an object of the tree consists of: its own fields, and the objects inside it. */
export function objectMembersOf(
  { own, inline }: TreeObject,
  columns: readonly FieldColumn[],
  style: Style,
): WriteMembers {
  const inGroups = (groups: readonly Group[]) =>
    membersOf(
      columns.filter(({ group }) => groups.includes(group)),
      style,
    )
  const presence = style.showNull ? 'always' : 'whenFilled'
  const inlineOf = ({ member, group }: Inline) => inMember(member, inGroups([group]), presence)
  return joined([inGroups(own), ...inline.map(inlineOf)])
}

/** JSON of a value as the database printed it. What is JSON already is passed on untouched. */
function encoderOf(type: FieldType, { printTime }: Style): (value: string) => string {
  switch (type) {
    case 'text':
      return JSON.stringify
    case 'boolean':
      return (value) => (value === 't' ? 'true' : 'false')
    case 'time':
      return remembering((value) => `"${printTime(value)}"`)
    case 'integer':
    case 'bigint':
    case 'number':
    case 'json':
    case 'value':
    case 'point':
    case 'geometry':
      return (value) => value
  }
}

/** Rows that follow each other often have the same time. */
function remembering(encode: (value: string) => string): (value: string) => string {
  let [last, encoded] = ['', '']
  return (value) => {
    if (value !== last) [last, encoded] = [value, encode(value)]
    return encoded
  }
}
