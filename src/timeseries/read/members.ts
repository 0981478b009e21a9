import type { TextRow } from '../../storage/index.ts'
import type { FieldType } from '../catalogue/field.ts'
import type { Group } from '../catalogue/groups.ts'
import type { Inline, TreeObject } from '../catalogue/level.ts'
import type { PrintTime } from '../time/print-time.ts'

/** A shown field: its key in the answer, what it holds and where it stands in a row. */
export type Column = {
  readonly key: string
  readonly type: FieldType
  readonly index: number
}

/** A field of the catalogue; its group says where in the tree it belongs. */
export type FieldColumn = Column & { readonly group: Group }

/** How values are printed. */
export type Style = { readonly showNull: boolean; readonly printTime: PrintTime }

/** Writes the members of an object as JSON, without its braces; empty when there are none. */
export type WriteMembers = (row: TextRow) => string

/** Writes some columns as members: null members only when nulls are shown (reference 1.8). */
export function membersOf(columns: readonly Column[], style: Style): WriteMembers {
  const members = columns.map(({ key, type, index }) => ({
    start: `${JSON.stringify(key)}:`,
    encode: encoderOf(type, style),
    index,
  }))
  return (row) => {
    let text = ''
    for (const { start, encode, index } of members) {
      const value = row[index]
      if (value !== null && value !== undefined) text += `,${start}${encode(value)}`
      else if (style.showNull) text += `,${start}null`
    }
    return text.slice(1)
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
  const inlineOf = ({ member, group }: Inline): WriteMembers => {
    const write = inGroups([group])
    return (row) => {
      const members = write(row)
      return members === '' ? '' : `${JSON.stringify(member)}:{${members}}`
    }
  }
  const writers = [inGroups(own), ...inline.map(inlineOf)]
  return (row) =>
    writers
      .map((write) => write(row))
      .filter((members) => members !== '')
      .join(',')
}

/** JSON of a value as the database printed it. What is JSON already is passed on untouched. */
function encoderOf(type: FieldType, { printTime }: Style): (value: string) => string {
  switch (type) {
    case 'text':
      return JSON.stringify
    case 'boolean':
      return (value) => (value === 't' ? 'true' : 'false')
    case 'time':
      return (value) => `"${printTime(value)}"`
    case 'integer':
    case 'json':
    case 'value':
    case 'point':
    case 'geometry':
      return (value) => value
  }
}
