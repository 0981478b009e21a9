import { Type } from 'typebox'
import { formats, streamedFormats } from './formats.ts'

/** How an answer is written, on lists and single reads. */
export const formatParameters = {
  format: Type.Optional(
    Type.Enum(
      formats.map(({ name }) => name),
      { description: 'Format of the answer; wins over the Accept header' },
    ),
  ),
  bom: Type.Boolean({
    default: false,
    description: 'Begin a CSV answer with a byte order mark, for spreadsheets that need one',
  }),
}

/** What only lists have. */
export const streamParameters = {
  stream: Type.Boolean({
    default: false,
    description: `All matching records as one streamed answer, without pages; in ${streamedFormats.join(', ')}`,
  }),
}
