import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import { flagAt, lowerSetOf, setOf, textAt, timeAt } from '../../columns.ts'
import type { GeneratedColumn } from '../../entity.ts'
import { updateFilter } from '../every-list.ts'
import type { Filter } from '../filter.ts'
import { columnFlag, identifierFilter, listFilter } from '../values.ts'
import { listOf } from '../../formats/record-members.ts'
import { shapeFilter } from '../../geography/shape-filter.ts'
import { simplifyFilter } from '../../geography/simplify-filter.ts'
import { sridFilter } from '../../geography/srid-filter.ts'
import { assertWindow, dateParameter, readMoment, toEnd } from './dates.ts'
import { rewritingFlag } from './shown-dates.ts'
import { stationPlaces } from './weather-places.ts'

type Columns = Readonly<Record<string, GeneratedColumn>>

const oneOf = (name: string, description: string, column: Sql): Filter =>
  listFilter({
    name,
    description: `${description}, any of them`,
    example: 'ABC',
    condition: (items) => sql`${column} = any(${items}::text[])`,
  })

/** Regions, municipalities and the like that searches offer (reference content.md 1.8). */
export const searchableColumns: Columns = { is_visible: flagAt(['VisibleInSearch']) }
export const searchableFilters: readonly Filter[] = [
  columnFlag(
    { name: 'visibleinsearch', description: 'Whether searches offer it as a choice' },
    sql`is_visible`,
  ),
]

export const wineAwardColumns: Columns = {
  wine: { type: 'text', expression: textAt('CustomId'), index: 'none' },
  company: { type: 'text', expression: textAt('CompanyId'), index: 'none' },
}
export const wineAwardFilters: readonly Filter[] = [
  oneOf('wineid', 'Wines by identifier', sql`wine`),
  oneOf('companyid', 'Companies by identifier', sql`company`),
]

export const roomColumns: Columns = {
  house: { type: 'text', expression: sql`upper(${textAt('A0RID')})`, index: 'btree' },
}
export const roomFilters: readonly Filter[] = [
  listFilter({
    name: 'accoid',
    description: 'Accommodations by identifier, any of them',
    example: 'ABC',
    toItem: (item) => item.toUpperCase(),
    condition: (items) => sql`house = any(${items}::text[])`,
  }),
]

/** Venues have all of the tags that are asked for (reference content.md 1.7). */
const venueTags = (name: string, description: string): Filter =>
  identifierFilter({
    name,
    description: `${description}, by identifier of the tag; all of them`,
    example: 'VEN123',
    condition: (items) => sql`tag_ids @> ${items}::text[]`,
  })

export const venueFilters: readonly Filter[] = [
  venueTags('categoryfilter', 'Categories'),
  venueTags('featurefilter', 'Features'),
  venueTags('setuptypefilter', 'Seating plans'),
  rewritingFlag({
    name: 'denormalize',
    description: 'Each venue once for every room of RoomDetails; totals count venues',
    rewrite: () => ({
      toShown: (venue) =>
        listOf(venue['RoomDetails']).map((room) => ({ ...venue, RoomDetails: [room] })),
    }),
  }),
]

export const measuringpointColumns: Columns = { ski_area_ids: setOf('SkiAreaIds') }
export const measuringpointFilters: readonly Filter[] = [
  listFilter({
    name: 'skiareafilter',
    description: 'Ski areas by identifier, any of them',
    example: 'ABC',
    condition: (items) => sql`ski_area_ids && ${items}::text[]`,
  }),
]

export const tagColumns: Columns = {
  valid_for: lowerSetOf('ValidForEntity'),
  types: lowerSetOf('Types'),
}
export const tagFilters: readonly Filter[] = [
  listFilter({
    name: 'validforentity',
    aliases: ['mainentity'],
    description: 'Entities whose records may have the tag, any of them',
    example: 'accommodation',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`valid_for && ${items}::text[]`,
  }),
  listFilter({
    name: 'types',
    description: 'Types of tags, any of them',
    example: 'ltscategory',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`types && ${items}::text[]`,
  }),
  columnFlag(
    { name: 'displayascategory', description: 'Whether the tag is shown as a category' },
    sql`content_flag(data -> 'DisplayAsCategory')`,
  ),
]

/** Sources by the entities that they give records of (reference content.md 6.9). */
export const sourceFilters: readonly Filter[] = [
  listFilter({
    name: 'typelist',
    description: 'Types of records that the source gives, any of them',
    example: 'accommodation',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`content_lower(data -> 'Types') && ${items}::text[]`,
  }),
]

export const geoShapeFilters: readonly Filter[] = [
  shapeFilter,
  sridFilter,
  simplifyFilter,
  listFilter({
    name: 'type',
    description: 'Types of shapes, any of them',
    example: 'municipality',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`lower(shape_type) = any(${items}::text[])`,
  }),
]

export const weatherColumns: Columns = {
  issued: { ...timeAt('Date'), index: 'none' },
}

/** Bulletins by the day that they were issued on (reference content.md 1.9). */
export const weatherFilters: readonly Filter[] = [
  stationPlaces,
  updateFilter(['lastchange']),
  {
    name: 'datefrom',
    parameters: [
      dateParameter('datefrom', 'Only bulletins issued then or later'),
      dateParameter('dateto', 'Only bulletins issued by then; a day belongs to it'),
    ],
    read: ({ query }) => {
      const from = readMoment(query, 'datefrom')
      const to = readMoment(query, 'dateto')
      assertWindow(from, to, 'dateto')
      if (from === undefined && to === undefined) return undefined
      const first = from?.iso ?? '-infinity'
      const last = to === undefined ? 'infinity' : toEnd(to)
      return {
        text: `${first}/${last}`,
        condition: sql`(issued >= ${first}::timestamptz and issued < ${last}::timestamptz)`,
      }
    },
  },
]
