import type { Column, Style } from './members.ts'
import { membersOf } from './members.ts'
import type { Writer } from './writer.ts'

/**
 * An array with one object for each row; all fields on one level (interface 4.8). A row of which
 * nothing is shown is left out, though it counts for the limit (reference 1.12).
 */
export function flatWriter(columns: readonly Column[], style: Style): Writer {
  const write = membersOf(columns, style)
  let opening = '['
  return {
    rows: (rows) => {
      let text = ''
      for (const row of rows) {
        const members = write(row)
        if (members === '') continue
        text += `${opening}{${members}}`
        opening = ','
      }
      return text
    },
    end: () => (opening === '[' ? '[]' : ']'),
  }
}
