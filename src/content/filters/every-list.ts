import { Type } from 'typebox'
import { AppError, dayForm } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import { filter } from '../entity.ts'
import { circleFilter, polygonFilter } from '../geography/area-filters.ts'
import type { Naming } from '../naming.ts'
import { nearFilter } from '../nearby/near-filter.ts'
import { compileRawFilter, parseRawFilter, printRawFilter } from '../rawfilter/index.ts'
import { compileRawSort, parseRawSort, printRawSort } from '../rawsort.ts'
import { searchFilter } from '../search.ts'
import { isVisibleRecord, toEntityId } from '../table.ts'
import { compileTagFilter, parseTagFilter, printTagFilter } from '../tagfilter.ts'
import type { TagFilter } from '../tagfilter.ts'
import type { Filter, References, Scope } from '../entity.ts'
import { columnFlag, isDay, listFilter, listSchema, rejected, toItems } from './values.ts'

/** Kind of place: its prefix in `locfilter` and `/v1/Location`, and the entity of its records. */
export type PlaceKind = {
  readonly prefix: string
  readonly entity: string
}

/**
 * Kinds of places that contain other records, in the order of `/v1/Location` (interface 4.5,
 * reference content.md 6.7).
 */
export const placeKinds = [
  { prefix: 'mta', entity: 'MetaRegion' },
  { prefix: 'reg', entity: 'Region' },
  { prefix: 'tvs', entity: 'TourismAssociation' },
  { prefix: 'mun', entity: 'Municipality' },
  { prefix: 'fra', entity: 'District' },
] as const satisfies readonly PlaceKind[]

/** Kind of ski areas. They have a list of their own, and are used in area filters only. */
export const skiAreaKind: PlaceKind = { prefix: 'ska', entity: 'SkiArea' }

/** Maximum number of characters in an expression (decision D35). */
export const longest = 4000

/** Filter by an expression over the stored records (decision D35). */
export const rawFilter: Filter = filter({
  name: 'rawfilter',
  schema: Type.String({
    maxLength: longest,
    description:
      "Expression over the stored record, such as and(eq(Active,true),in(Tags.[*].Id,'summer'))",
  }),
  examples: {
    good: ['eq(Active,true)', "and(isnotnull(Shortname),not(eq(Id,'x')))"],
    bad: ['eq(Active,true', 'eq(Title,Foo)', 'and()', 'x'],
  },
  read: (written, scope) => {
    const expression = parseRawFilter(written)
    return {
      text: printRawFilter(expression),
      condition: compileRawFilter(expression, toStored(scope)),
    }
  },
})

/** Order by fields of the stored records (decision D35). */
export const rawSort: Filter = filter({
  name: 'rawsort',
  schema: Type.String({
    maxLength: longest,
    'x-repeated': 'joined',
    description:
      'Fields to sort by, with - before those in descending order: -LastChange,Shortname',
  }),
  examples: { good: ['Shortname', '-LastChange,Id'], bad: ['-', 'A,,B', 'A B'] },
  read: (written, scope) => {
    const sort = parseRawSort(written)
    return {
      text: printRawSort(sort),
      condition: sql`true`,
      order: compileRawSort(sort, toStored(scope)),
    }
  },
})

/**
 * Returns the context for resolving names of fields. Without a token, closed fields do not exist,
 * neither for filters and orders nor in the response (decision D34).
 */
function toStored({ entity, principal }: Scope) {
  return { entity, naming: entity.naming, isReduced: principal.kind === 'anonymous' }
}

const expected = placeKinds.map(({ prefix, entity }) => `${prefix}<${entity}Id>`)

const description = `Places, any of them: ${expected.join(', ')}; see /v1/Location`

/** Query schema of a list of places. */
export const placesSchema = listSchema(description)

/**
 * Parses a list of places and removes duplicates.
 * @throws AppError HUB-QRY-001 for anything that is not a kind and identifier
 */
export function readPlaces(written: readonly string[]): readonly string[] {
  const items = toItems(written)
  const wrong = items.find((item) => !isPlace(item))
  if (wrong === undefined && items.length > 0) return items
  const detail = `has ${JSON.stringify(wrong ?? '')}, which is not a kind and identifier`
  throw rejected({ parameter: 'locfilter', detail, expected })
}

/** Filter for records in certain places (interface 4.5, reference content.md 3.8). */
export const locationFilter: Filter = filter({
  name: 'locfilter',
  schema: placesSchema,
  examples: {
    good: ['regABC', 'munABC,fraDEF', 'mtaABC,tvsDEF'],
    bad: ['abcDEF', 'reg', ',', 'regABC,Bozen'],
  },
  read: (written) => {
    const items = readPlaces(written)
    const places = items.flatMap(placeSpellings)
    const toMeaning = (all: readonly string[]) => ({
      text: items.join(','),
      condition: sql`places && ${all}::text[]`,
    })
    if (!items.some((item) => item.startsWith('mta'))) return toMeaning(places)
    return async (references) => toMeaning([...places, ...(await loadFields(places, references))])
  },
})

const isPlace = (item: string) =>
  item.length > 3 && placeKinds.some(({ prefix }) => item.startsWith(prefix))

/**
 * Returns the spellings of a place: as written, and in upper case as identifiers of places are
 * stored (decision D31).
 */
export const placeSpellings = (item: string) => [
  item,
  item.slice(0, 3) + item.slice(3).toUpperCase(),
]

/** Loads the tourism associations of the meta regions in a list of places. */
async function loadFields(
  places: readonly string[],
  { database, visibility }: References,
): Promise<readonly string[]> {
  const ids = places.flatMap((place) => (place.startsWith('mta') ? [place.slice(3)] : []))
  const rows = await database.query<{ place: string }>(sql`
    select 'tvs' || unnest(content_strings(data -> 'TourismvereinIds')) as place
    from content.metaregion
    where id = any(${ids}::text[]) and ${isVisibleRecord('MetaRegion', visibility)}`)
  return rows.map(({ place }) => place)
}

/** Filter for records in areas (interface 4.2, decision D26a, reference content.md 3.9). */
const areaFilter: Filter = filter({
  name: 'areafilter',
  schema: listSchema(
    'Areas by whole name in any language, by identifier of /v1/Area, or by reg, tvs, skr, ska or are with an identifier; any of them',
  ),
  examples: { good: ['Dolomites', 'regABC,skaDEF', 'no such area'], bad: [',', ' '] },
  read: (written) => {
    const items = toItems(written)
    if (items.length === 0) {
      const expected = ['names of areas, or reg…, tvs…, skr…, ska…, are…']
      throw rejected({ parameter: 'areafilter', detail: 'is a list without items', expected })
    }
    return async (references) => ({
      text: items.join(','),
      condition: sql`area_ids && ${await loadAreaIds(items, references)}::text[]`,
    })
  },
})

/**
 * Returns the identifiers of all areas that an item may denote. An identifier counts even if there
 * is no such area, because records may still refer to it.
 */
async function loadAreaIds(
  items: readonly string[],
  { database, visibility }: References,
): Promise<readonly string[]> {
  const named = (prefix: string) =>
    items.flatMap((item) => (item.startsWith(prefix) ? spellings(item.slice(prefix.length)) : []))
  const regions = [...named('reg').map((id) => `reg${id}`), ...named('tvs').map((id) => `tvs${id}`)]
  const rows = await database.query<{ id: string }>(sql`
    select id from content.area where ${isVisibleRecord('Area', visibility)} and (
      places && ${regions}::text[]
      or lower(shortname) = any(${lower(items)}::text[])
      or exists (
        select from jsonb_each(case jsonb_typeof(data -> 'Detail') when 'object' then data -> 'Detail' end)
        where lower(value ->> 'Title') = any(${lower(items)}::text[])))
    union
    select unnest(area_ids) from content.skiarea
    where ${isVisibleRecord('SkiArea', visibility)} and (
      id = any(${named('ska')}::text[]) or data ->> 'SkiRegionId' = any(${named('skr')}::text[]))`)
  return [...new Set([...rows.map(({ id }) => id), ...named('are'), ...items.flatMap(spellings)])]
}

const lower = (items: readonly string[]) => items.map((item) => item.toLowerCase())

/**
 * Returns the spellings of an area: as written, and in upper case as identifiers of areas are
 * stored (decision D31).
 */
const spellings = (id: string) => [id, id.toUpperCase()]

/** Filter for records with certain tags (interface 4.2, decision D27). */
const tagFilter: Filter = filter({
  name: 'tagfilter',
  schema: Type.String({
    // Five hundred identifiers of the usual length of a URL. The grammar limits their number.
    maxLength: 50_000,
    'x-repeated': 'joined',
    description:
      'Identifiers of /v1/Tag: a,b or or(a,b) for any of them, and(a,b) for all of them; case-sensitive',
  }),
  examples: {
    good: ['summer', 'summer,winter', 'and(summer,hiking)', 'or(a, b)', 'a,'],
    bad: ['and(a,b', 'and()', 'and(a)or(b)', 'and(a,or(b,c))', 'a)', ',a'],
  },
  read: (written) => {
    const tags = understood(written)
    return { text: printTagFilter(tags), condition: compileTagFilter(tags) }
  },
})

function understood(written: string): TagFilter {
  try {
    return parseTagFilter(written)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, position, expected, hint } = error
    const issue = { parameter: 'tagfilter', detail: message, position, expected }
    throw new AppError('HUB-QRY-011', message, {
      issues: [hint === undefined ? issue : { ...issue, hint }],
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    })
  }
}

type Spelling = { readonly name: string; readonly aliases: readonly string[] }

/** Returns a filter by identifiers, in the letter case of the entity (decision D31). */
export const idFilter = ({ name, aliases }: Spelling): Filter =>
  filter({
    name,
    aliases,
    schema: listSchema('Identifiers, any of them'),
    examples: { good: ['abc', 'ABC,def'], bad: [',', ' '] },
    read: (written, { entity }) => {
      const ids = toItems(written).map((id) => toEntityId(entity, id))
      if (ids.length === 0) {
        const expected = ['comma-separated identifiers']
        throw rejected({ parameter: name, detail: 'is a list without items', expected })
      }
      return { text: ids.join(','), condition: sql`id = any(${ids}::text[])` }
    },
  })

/** Returns a filter for records whose content changed on a day or later (decision D28). */
export const updateFilter = (aliases: readonly string[] = []): Filter =>
  filter({
    name: 'updatefrom',
    aliases,
    schema: Type.String({
      ...dayForm,
      maxLength: 10,
      description: 'Only records whose content changed on this day (UTC) or later; yyyy-MM-dd',
    }),
    examples: {
      good: ['2026-01-31', '1970-01-01'],
      bad: ['2026-02-31', '31.1.2026', '2026-13-01', '2026-01-31T10:00:00', 'today', '0000-01-01'],
    },
    read: (day) => {
      if (!isDay(day)) {
        throw rejected({
          parameter: 'updatefrom',
          detail: `is not a valid day: ${day}`,
          expected: ['yyyy-MM-dd, such as 2026-01-31'],
        })
      }
      return { text: day, condition: sql`last_change >= ${`${day}T00:00:00Z`}::timestamptz` }
    },
  })

const languageFilter = listFilter({
  name: 'langfilter',
  description: 'Languages, all of which the record has, such as de,it,en',
  example: 'de',
  toItem: (item) => item.toLowerCase(),
  condition: (items) => sql`languages @> ${items}::text[]`,
})

const sourceFilter = listFilter({
  name: 'source',
  description: 'Sources of /v1/Source, any of them; case-insensitive',
  example: 'lts',
  toItem: (item) => item.toLowerCase(),
  condition: (items) => sql`source = any(${items}::text[])`,
})

const publisherFilter = listFilter({
  name: 'publishedon',
  description: 'Publishers of /v1/Publisher that show the record, any of them',
  example: 'idm-marketplace',
  toItem: (item) => item.toLowerCase(),
  condition: (items) => sql`published_on && ${items}::text[]`,
})

/** Filters of every list (interface 4.2). */
export const commonFilters: readonly Filter[] = [
  idFilter({ name: 'idlist', aliases: ['idfilter'] }),
  searchFilter,
  languageFilter,
  updateFilter(),
  sourceFilter,
  columnFlag(
    { name: 'active', description: 'Whether the record is active at the source; default: all' },
    sql`active`,
  ),
  publisherFilter,
  circleFilter,
  polygonFilter,
  nearFilter,
  areaFilter,
  locationFilter,
  tagFilter,
  rawFilter,
  rawSort,
]

/** Returns other spellings of a name: its ending with the usual prefixes (decision D10). */
export function spellingsOf(name: string, ending: string): readonly string[] {
  return [`hub${ending}`, `odh${ending}`].filter((spelling) => spelling !== name)
}

/** Filters of lists whose records the platform shows or hides (interface 4.5). */
export const tourismFilters = ({ activeFilter, tagFilter: tagName }: Naming): readonly Filter[] => [
  columnFlag(
    {
      name: activeFilter,
      aliases: spellingsOf(activeFilter, 'active'),
      description: 'Whether the record is active on the platform; default: all',
    },
    sql`hub_active`,
  ),
  listFilter({
    name: tagName,
    aliases: spellingsOf(tagName, 'tagfilter'),
    description: 'Tags of the recommended system, any of them; case-insensitive',
    example: 'summer',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`hub_tags && ${items}::text[]`,
  }),
]
