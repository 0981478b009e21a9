import { listOf } from '../../../lang/json.ts'
import { all, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Filter, GeneratedColumn, References } from '../../entity.ts'
import { shapeCircle, shapeFilter } from '../../geography/area-filters.ts'
import { simplifyFilter, sridFilter } from '../../geography/output-filters.ts'
import { inEverySpelling } from '../../naming.ts'
import { flagAt, isVisibleRecord, lowerSetOf, setOf, textAt, timeAt } from '../../table.ts'
import { locationFilter, updateFilter } from '../every-list.ts'
import { filter } from '../../entity.ts'
import {
  columnFlag,
  identifierFilter,
  listFilter,
  listSchema,
  rejected,
  toItems,
} from '../values.ts'
import {
  beginsBy,
  dateParameter,
  firstDay,
  lastDay,
  rewritingFlag,
  toEnd,
  windowFilter,
} from './dates.ts'

const prefixes = [
  'reg<RegionId>',
  'tvs<TourismAssociationId>',
  'mun<MunicipalityId>',
  'fra<FractionId>',
]

const isPlace = (item: string) => /^(reg|tvs|mun|fra)./.test(item)

/** Converts a place to upper case, in which identifiers of places are stored (decision D31). */
const toPlace = (item: string) => item.slice(0, 3) + item.slice(3).toUpperCase()

/** Filter for weather districts by number or tourism association (reference content.md 1.9). */
export const districtPlaces: Filter = filter({
  name: 'locfilter',
  schema: listSchema(`Districts by number, or places in them: ${prefixes.join(', ')}; any of them`),
  examples: {
    good: ['1', '1,7', 'regABC,munDEF'],
    bad: ['8', '0', 'abcDEF', 'reg', ',', '1,Bozen'],
  },
  read: (written) => {
    const items = toItems(written)
    const wrong = items.find((item) => !/^[1-7]$/.test(item) && !isPlace(item))
    assertPlaces(items, wrong, ['1 to 7', ...prefixes])
    return async (references) => {
      const places = items.filter(isPlace).map(toPlace)
      const associations = await loadAssociations(places, references)
      const condition = sql`(id = any(${items}::text[])
        or content_strings(jsonb_path_query_array(data, '$.TourismVereinIds')) && ${associations}::text[])`
      return { text: items.join(','), condition }
    }
  },
})

/**
 * Filter for stations of a bulletin, by number. It matches bulletins with such stations, and shows
 * only the data of these stations.
 */
const stationPlaces: Filter = filter({
  name: 'locfilter',
  schema: listSchema(
    'Stations by number, any of them: 1 Schlanders, 2 Meran, 3 Bozen, 4 Sterzing, 5 Brixen, 6 Bruneck; of the bulletin only Stationdata is returned',
  ),
  examples: { good: ['3', '1,6'], bad: ['7', '0', 'regABC', ',', '1,Bozen'] },
  read: (written) => {
    const items = toItems(written)
    assertPlaces(
      items,
      items.find((item) => !/^[1-6]$/.test(item)),
      ['1 to 6'],
    )
    const isWanted = (id: unknown) => items.includes(String(id))
    return {
      text: items.join(','),
      condition: sql`translate(jsonb_path_query_array(data, '$.Stationdata[*].Id')::text, '[] "', '{}')::text[] && ${items}::text[]`,
      rewrite: {
        adds: ['Stationdata'],
        toShown: ({ Conditions: _c, Forecast: _f, Mountain: _m, ...bulletin }) => [
          {
            ...bulletin,
            Stationdata: listOf(bulletin['Stationdata']).filter(({ Id }) => isWanted(Id)),
          },
        ],
      },
    }
  },
})

/**
 * Filter for forecasts, each of which is for a municipality. Regions and tourism associations stand
 * for their municipalities.
 */
export const forecastPlaces: Filter = {
  ...locationFilter,
  read: (scope) => {
    const reading = locationFilter.read(scope)
    if (reading === undefined) return undefined
    return async (references) => {
      const meaning = typeof reading === 'function' ? await reading(references) : reading
      const { condition } = meaning
      return {
        ...meaning,
        condition: sql`(${condition} or places && ${await loadMunicipalities(condition, references)}::text[])`,
      }
    }
  },
}

async function loadMunicipalities(
  condition: Sql,
  { database, visibility }: References,
): Promise<readonly string[]> {
  const rows = await database.query<{ place: string }>(
    sql`select 'mun' || id as place from content.municipality
    where ${condition} and ${isVisibleRecord('Municipality', visibility)}`,
  )
  return rows.map(({ place }) => place)
}

async function loadAssociations(
  places: readonly string[],
  { database, visibility }: References,
): Promise<readonly string[]> {
  const named = (kind: string) =>
    places.flatMap((place) => (place.startsWith(kind) ? [place.slice(3)] : []))
  if (places.length === 0) return []
  const rows = await database.query<{ id: string }>(sql`
    select id from content.tourismassociation
    where ${isVisibleRecord('TourismAssociation', visibility)} and data ->> 'RegionId' = any(${named('reg')}::text[])
    union select data ->> 'TourismvereinId' from content.municipality
    where ${isVisibleRecord('Municipality', visibility)} and id = any(${named('mun')}::text[]) and data ->> 'TourismvereinId' is not null
    union select data ->> 'TourismvereinId' from content.district
    where ${isVisibleRecord('District', visibility)} and id = any(${named('fra')}::text[]) and data ->> 'TourismvereinId' is not null`)
  return [...named('tvs'), ...rows.map(({ id }) => id)]
}

function assertPlaces(
  items: readonly string[],
  wrong: string | undefined,
  expected: readonly string[],
): void {
  if (items.length > 0 && wrong === undefined) return
  const detail = `has ${JSON.stringify(wrong ?? '')}, which is not a valid place`
  throw rejected({ parameter: 'locfilter', detail, expected })
}

type Columns = Readonly<Record<string, GeneratedColumn>>

const oneOf = (name: string, description: string, column: Sql): Filter =>
  listFilter({
    name,
    description: `${description}, any of them`,
    example: 'ABC',
    condition: (items) => sql`${column} = any(${items}::text[])`,
  })

/**
 * Columns and filters of places that searches offer, such as regions (reference content.md 1.8).
 */
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

/** Returns a filter for venues that have all of the requested tags (reference content.md 1.7). */
const venueTags = (name: string, description: string): Filter =>
  identifierFilter({
    name,
    description: `${description}, by identifier of the tag; all of them`,
    example: 'VEN123',
    toItem: (item, { entity }) => (entity.tagCase === 'lower' ? item.toLowerCase() : item),
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
      adds: [],
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
    condition: (items) => sql`valid_for && ${inEverySpelling(items)}::text[]`,
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

/** Filters of sources, by the entities of their records (reference content.md 6.9). */
export const sourceFilters: readonly Filter[] = [
  listFilter({
    name: 'typelist',
    description: 'Types of records of the source, any of them',
    example: 'accommodation',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`content_lower(data -> 'Types') && ${inEverySpelling(items)}::text[]`,
  }),
]

export const geoShapeFilters: readonly Filter[] = [
  shapeFilter,
  shapeCircle,
  // Replaces the common filter `near`, which needs the positions of records: shapes have none.
  { name: 'near', parameters: [], read: () => undefined },
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

/** Filters of bulletins, by the time they were issued (reference content.md 1.9). */
export const weatherFilters: readonly Filter[] = [
  stationPlaces,
  updateFilter(['lastchange']),
  windowFilter({
    parameters: [
      dateParameter('datefrom', 'Only bulletins issued at this time or later', firstDay('Date')),
      dateParameter(
        'dateto',
        'Only bulletins issued by this time, or on this day',
        lastDay('Date'),
      ),
    ],
    meaning: (from, to) => {
      const first = from?.iso ?? '-infinity'
      const last = to === undefined ? 'infinity' : toEnd(to)
      return {
        text: `${first}/${last}`,
        condition: all([
          sql`issued >= ${first}::timestamptz`,
          ...(to === undefined ? [] : [beginsBy(sql`issued`, to)]),
        ]),
      }
    },
  }),
]
