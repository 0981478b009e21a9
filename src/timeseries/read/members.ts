import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { Cell, WrittenRow } from '../../tables/index.ts'
import type { FieldType, Group } from '../catalogue/groups.ts'
import type { Inline, TreeObject } from '../catalogue/levels.ts'
import type { PrintTime } from '../time.ts'

/** The names in a list segment of a path, or all names (reference 1.1). */
export type Names =
  | { readonly kind: 'all' }
  | { readonly kind: 'some'; readonly names: readonly string[] }

/**
 * Parses a list segment: names separated by commas, compared exactly. A star among them selects all
 * names.
 */
export function parseNames(segment: string): Names {
  const names = segment
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.includes('*') ? { kind: 'all' } : { kind: 'some', names: [...new Set(names)] }
}

/** Returns the condition that a column holds one of the names; no condition for all names. */
export function isNamed(column: Sql, wanted: Names): readonly Sql[] {
  return wanted.kind === 'all' ? [] : [sql`${column} = any(${wanted.names}::text[])`]
}

/** A shown field: its key in the response, its type and its position in a row. */
export type Column = Cell & {
  readonly key: string
  /**
   * The key of a path into JSON. In the tree, its value is one level below its field (reference
   * 1.8).
   */
  readonly inner?: string | undefined
  readonly type: FieldType
}

/** A column for a field of the catalogue. Its group determines its place in the tree. */
export type FieldColumn = Column & { readonly group: Group }

/** How values are printed. */
export type Style = { readonly showNull: boolean; readonly printTime: PrintTime }

/**
 * Writes the members of an object as JSON, without its braces. The text is empty if there are none.
 */
export type WriteMembers = (row: TextRow) => string

/** Writes columns as members. Null members are written only if nulls are shown (reference 1.8). */
export function membersOf(columns: readonly Column[], style: Style): WriteMembers {
  const plain = plainMembersOf(
    columns.filter(({ inner }) => inner === undefined),
    style,
  )
  const whole = new Set(columns.filter(({ inner }) => inner === undefined).map(({ key }) => key))
  const parted = [...Map.groupBy(columns, ({ key }) => key)].filter(([key]) => !whole.has(key))
  return joined([plain, ...parted.map(([key, parts]) => partsOf(key, parts, style))])
}

/**
 * Writes parts of one field as an object in its member. If the whole field is shown, it contains
 * the parts anyway.
 */
function partsOf(key: string, parts: readonly Column[], style: Style): WriteMembers {
  const inside = parts.map(({ inner = '', ...part }) => ({ ...part, key: inner }))
  return inMember(key, plainMembersOf(inside, style), 'whenFilled')
}

/** @param presence whether the object is written even if it is empty */
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

/**
 * Writes members from the same source. The text of a row that others share is written once, and
 * cached with that row.
 */
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

/**
 * Flattens a text that was concatenated from many parts. Otherwise the parts are traversed again
 * each time that the text is sent.
 */
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

/** Writes times. Consecutive rows often have the same times, whose text is then reused. */
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

/**
 * Returns a writer of members. The fewer parts a text consists of, the faster it is sent, so each
 * comma is joined to the key of the next member.
 */
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

/** Writes the contents of an object of the tree: its own fields and the objects inside it. */
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

/**
 * Returns the function that encodes values, as printed by the database, as JSON. Values that
 * already are JSON are passed through unchanged.
 */
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

/** Caches the last result, because consecutive rows often have the same time. */
function remembering(encode: (value: string) => string): (value: string) => string {
  let [last, encoded] = ['', '']
  return (value) => {
    if (value !== last) [last, encoded] = [value, encode(value)]
    return encoded
  }
}
