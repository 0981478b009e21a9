import { Type } from 'typebox'
import type { Static } from 'typebox'
import { charset } from './charset.ts'

export const FixedWidth = Type.Object(
  {
    charset: Type.Optional(charset),
    columns: Type.Record(
      Type.String({ minLength: 1, maxLength: 255 }),
      Type.Tuple([
        Type.Integer({ minimum: 1, maximum: 100_000, description: 'First character, from 1' }),
        Type.Integer({ minimum: 1, maximum: 100_000, description: 'Last character' }),
      ]),
      { description: 'First and last character of each column, counted from 1' },
    ),
    starts: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'What the lines of the data begin with; others are passed over',
      }),
    ),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000, description: 'Lines before the first one' }),
    ),
  },
  { additionalProperties: false },
)
export type FixedWidth = Static<typeof FixedWidth>

/**
 * Rows of a text in which each column has its place: an object of texts without blanks around them. A
 * column that stands after the end of its line is an empty text; lines that are blank are passed over.
 */
export function decodeFixedWidth(text: string, options: FixedWidth): unknown[] {
  const { columns, starts = '', skip = 0 } = options
  const places = Object.entries(columns)
  const rows: unknown[] = []
  let line = 0
  for (const written of linesOf(text)) {
    line += 1
    if (line <= skip || written.trim() === '' || !written.startsWith(starts)) continue
    rows.push(
      Object.fromEntries(
        places.map(([name, [first, last]]) => [name, written.slice(first - 1, last).trim()]),
      ),
    )
  }
  return rows
}

function* linesOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}
