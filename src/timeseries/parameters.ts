import { Type } from 'typebox'
import type { Static } from 'typebox'

const largestInteger = Number.MAX_SAFE_INTEGER

/** Parameters of every read of stations, values, edges and events (interface 4.8). */
export const readParameters = Type.Object({
  limit: Type.Integer({
    default: 200,
    minimum: -1,
    maximum: largestInteger,
    description:
      'Results at most; -1 removes the limit. In tree, measurements are counted, or stations where there are none',
  }),
  offset: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: largestInteger,
    description: 'Results to skip; with limit 200, page two begins at 200',
  }),
  shownull: Type.Boolean({ default: false, description: 'Show members that are null' }),
  distinct: Type.Boolean({
    default: true,
    description:
      'Leave out repeated results. As long as all fields are shown, no result repeats another',
  }),
  timezone: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Zone in which times are shown: an IANA name or an offset; absent: UTC',
    }),
  ),
  origin: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 200,
      style: 'form',
      explode: false,
      description: 'Only data of these origins',
    }),
  ),
  referer: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Address of the calling application' }),
  ),
})
export type ReadParameters = Static<typeof readParameters>
