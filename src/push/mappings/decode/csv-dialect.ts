import { Type } from 'typebox'
import type { Static } from 'typebox'
import { charset } from './charset.ts'

/** How a CSV is written: the options of the step `csv`, and of tables. */
export const CsvDialect = Type.Object(
  {
    charset: Type.Optional(charset),
    delimiter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8,
        description: 'Between two fields; default ,',
      }),
    ),
    quote: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 1 }), Type.Literal(false)], {
        description:
          'Around a field that holds a delimiter or a line break; default "; false: none',
      }),
    ),
    escape: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1,
        description: 'Before a quote inside of a quoted field; default: the quote again',
      }),
    ),
    header: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String({ maxLength: 255 }), { minItems: 1 })], {
        description:
          'true (default): the first row names the columns; false: rows are lists; a list: the names',
      }),
    ),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000, description: 'Lines before the first row' }),
    ),
    comment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8,
        description: 'What a line begins with that is none of the data',
      }),
    ),
    trim: Type.Optional(
      Type.Boolean({ description: 'Whether blanks around fields are left out; default true' }),
    ),
    ragged: Type.Optional(
      Type.Boolean({
        description:
          'Whether rows may have fewer or more fields than the header; default false: they are broken',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CsvDialect = Static<typeof CsvDialect>
