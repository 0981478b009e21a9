import { all, any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Visibility } from '../../access/index.ts'
import type { Entity } from '../entity.ts'
import { placeSpellings } from '../filters/location-filter.ts'
import { isVisible } from '../list/plan.ts'
import { tableOf } from '../table.ts'

/** A kind of place, and the entity whose records are such places. */
export type Block = { readonly prefix: string; readonly entity: Entity }

export type Wanted = {
  /** In the order in which they are listed. */
  readonly blocks: readonly Block[]
  readonly language: string | undefined
  /** Also places that searches do not offer. */
  readonly showsAll: boolean
  /** Only these places and what lies in them, such as `regABC`; absent: all. */
  readonly within: readonly string[] | undefined
  /** The entity of meta regions, which are places made of places. */
  readonly metaRegion: Entity
  readonly visibility: Visibility
}

/** A place as JSON: `typ` and `id`, which together are an item of `locfilter`, and `name`. */
export type Location = string

/**
 * The places that a caller may see, block by block, in each by name and identifier. `name` is the title in
 * the wanted language, null where there is none; without a language an object with all of them.
 */
export async function loadLocations(
  database: Queryable,
  wanted: Wanted,
): Promise<readonly Location[]> {
  const within = wanted.within && (await loadWithin(database, wanted.within, wanted))
  const blocks = wanted.blocks.map((block, index) => blockOf(block, { ...wanted, within, index }))
  const rows = await database.texts(sql`
    select json_build_object('typ', typ, 'name', name, 'id', id)
    from (${blocks.reduce((above, below) => sql`${above} union all ${below}`)}) as places
    order by block, lower(sorted) collate "C", id`)
  return rows.flatMap(([text]) => text ?? [])
}

type Within = {
  /** Kind and identifier of places that are wanted themselves. */
  readonly own: readonly string[]
  /** The same of those within which others are wanted. */
  readonly around: readonly string[]
}

type Asked = Omit<Wanted, 'within'> & {
  readonly within: Within | undefined
  readonly index: number
}

/** `all` of the entries of `Detail` that have a title. */
const titles = sql`(
  select jsonb_object_agg(key, value -> 'Title')
  from jsonb_each(case jsonb_typeof(data -> 'Detail') when 'object' then data -> 'Detail' end)
  where jsonb_typeof(value -> 'Title') = 'string')`

function blockOf({ prefix, entity }: Block, asked: Asked): Sql {
  const { language, visibility, within, index } = asked
  const name =
    language === undefined ? sql`coalesce(${titles}, '{}')` : sql`${titles} -> ${language}::text`
  const sorted =
    language === undefined
      ? sql`coalesce(shortname, ${titles} ->> 'en', ${titles} ->> 'de', ${titles} ->> 'it')`
      : sql`${titles} ->> ${language}::text`
  return sql`
    select ${index}::integer as block, ${prefix}::text as typ, id, ${name} as name, ${sorted} as sorted
    from ${tableOf(entity)}
    where ${all([
      isVisible(entity, visibility),
      sql`active is not false`,
      // A place needs a name.
      sql`${titles} is not null`,
      ...(asked.showsAll ? [] : [sql`content_flag(data -> 'VisibleInSearch')`]),
      ...(within === undefined ? [] : [liesWithin(prefix, within)]),
    ])}`
}

/** Ski areas reach into several places, which they list by themselves. */
const lists = [
  { prefix: 'reg', member: sql`data -> 'RegionIds'` },
  { prefix: 'tvs', member: sql`data -> 'TourismvereinIds'` },
  { prefix: 'mun', member: sql`data -> 'MunicipalityIds'` },
  { prefix: 'fra', member: sql`data -> 'DistrictIds'` },
]

function liesWithin(prefix: string, { own, around }: Within): Sql {
  const isOwn = sql`${prefix}::text || id = any(${own}::text[])`
  if (prefix === 'mta') return isOwn
  const listed = prefix === 'ska' ? lists : []
  return any([
    isOwn,
    sql`places && ${around}::text[]`,
    ...listed.map(
      (list) =>
        sql`content_strings(${list.member}) && ${identifiersOf(list.prefix, around)}::text[]`,
    ),
  ])
}

function identifiersOf(prefix: string, places: readonly string[]): readonly string[] {
  return places.flatMap((place) => (place.startsWith(prefix) ? [place.slice(prefix.length)] : []))
}

/** A meta region is itself, its regions, and its tourism associations with what lies in those. */
async function loadWithin(
  database: Queryable,
  written: readonly string[],
  { metaRegion, visibility }: Wanted,
): Promise<Within> {
  const places = written.flatMap(placeSpellings)
  const ids = identifiersOf('mta', places)
  if (ids.length === 0) return { own: places, around: places }
  const named = sql`
    ${tableOf(metaRegion)} where id = any(${ids}::text[]) and ${isVisible(metaRegion, visibility)}`
  const rows = await database.query<{ place: string }>(sql`
    select 'tvs' || unnest(content_strings(data -> 'TourismvereinIds')) as place from ${named}
    union all
    select 'reg' || unnest(content_strings(data -> 'RegionIds')) from ${named}`)
  const members = rows.map(({ place }) => place)
  const associations = members.filter((place) => place.startsWith('tvs'))
  return { own: [...places, ...members], around: [...places, ...associations] }
}
