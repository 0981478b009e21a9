import { Type } from 'typebox'
import type { Static } from 'typebox'

/** Names a client application; it counts for quotas, not for data (interface 8). */
const referer = Type.Optional(
  Type.String({ maxLength: 2000, description: 'Address of the calling application' }),
)

/** Parameters that change how a record looks, on lists and single reads (interface 4.2, 4.4). */
const representationParameters = {
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}$',
      description: 'Only texts in this language, such as en, de or it; absent: all languages',
    }),
  ),
  fields: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), {
      maxItems: 200,
      style: 'form',
      explode: false,
      description: 'Only these fields: Detail.en.Title, Tags.[*].Id, ImageGallery.[0] …',
    }),
  ),
  removenullvalues: Type.Boolean({
    default: false,
    description: 'Leave out members that are null or empty',
  }),
  referer,
}

export const itemParameters = Type.Object(representationParameters)
export type ItemParameters = Static<typeof itemParameters>

export const listParameters = Type.Object({
  pagenumber: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Page to return',
  }),
  pagesize: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Items per page; more than 1000 is clamped to 1000',
  }),
  ...representationParameters,
})
export type ListParameters = Static<typeof listParameters>
