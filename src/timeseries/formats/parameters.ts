import { Type } from 'typebox'
import { formats } from './formats.ts'

/** How an answer is written. */
export const formatParameters = {
  format: Type.Optional(
    Type.Enum(
      formats.map(({ name }) => name),
      { description: 'Format of the answer; wins over the Accept header. A tree is JSON' },
    ),
  ),
  bom: Type.Boolean({
    default: false,
    description: 'Begin a CSV answer with a byte order mark, for spreadsheets that need one',
  }),
}
