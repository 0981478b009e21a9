import { Type } from 'typebox'
import type { Static } from 'typebox'
import { commaList, referer } from '../lang/schemas.ts'
import { reductionParameters } from './buckets/aggregates.ts'
import { formatParameters } from './formats/index.ts'
import { groupParameters } from './select/groups.ts'

/**
 * `strict` follows the interface to the letter; `compatible` meets the expectations of existing
 * clients of the public system (decision D0).
 */
export type Profile = 'strict' | 'compatible'

const maxInteger = Number.MAX_SAFE_INTEGER

/** Parameters of every request for stations, values, edges or events (interface 4.8). */
export const readParameters = Type.Object({
  limit: Type.Integer({
    default: 200,
    minimum: -1,
    maximum: maxInteger,
    description:
      'Maximum number of results; -1 removes the limit. In tree it counts measurements, or stations if the path has no measurements',
  }),
  offset: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: maxInteger,
    description: 'Results to skip; with limit 200, page two begins at 200',
  }),
  where: Type.Optional(
    Type.String({
      maxLength: 8000,
      examples: ['sactive.eq.true'],
      'x-repeated': 'joined',
      description: 'Conditions, such as and(scode.eq."P1",mvalue.gt.5); texts in double quotes',
    }),
  ),
  select: Type.Optional(
    Type.String({
      maxLength: 4000,
      examples: ['scode,sname'],
      'x-repeated': 'joined',
      description: 'Fields to show, such as scode,smetadata.city,mvalue or scode,max(mvalue)',
    }),
  ),
  shownull: Type.Boolean({
    default: false,
    'x-words': true,
    description: 'Show fields that are null',
  }),
  distinct: Type.Boolean({
    default: true,
    'x-words': true,
    description: 'Omit repeated results, but never values of different stations or times',
  }),
  timezone: Type.Optional(
    Type.String({
      maxLength: 100,
      examples: ['Europe/Rome'],
      description: 'Zone in which times are shown: an IANA name or an offset; default: UTC',
    }),
  ),
  origin: Type.Optional(
    commaList(Type.String({ maxLength: 255 }), {
      maxItems: 200,
      examples: [['example']],
      description: 'Only data of these origins',
    }),
  ),
  referer,
  ...formatParameters,
})
export type ReadParameters = Static<typeof readParameters>

/** Parameters of the list of stations: `readParameters` and those of groups. */
export const stationParameters = Type.Object({ ...readParameters.properties, ...groupParameters })
export type StationParameters = Static<typeof stationParameters>

/** Parameters of a range of values: `readParameters` and those of buckets and points. */
export const historyParameters = Type.Object({
  ...readParameters.properties,
  ...reductionParameters,
})
