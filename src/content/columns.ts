import { join, literal, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Entity, GeneratedColumn } from './entity.ts'
import type { Naming } from './naming.ts'

type Columns = Readonly<Record<string, GeneratedColumn>>

/** The texts at these paths of a record, as one set. A dot leads into an object: `RoomDetails.Id`. */
export function setOf(...paths: readonly string[]): GeneratedColumn {
  return { type: 'text[]', expression: joined(paths, sql`content_strings`), index: 'set' }
}

/** The same in lower case. */
export function lowerSetOf(...paths: readonly string[]): GeneratedColumn {
  return { type: 'text[]', expression: joined(paths, sql`content_lower`), index: 'set' }
}

/**
 * Lists within lists are walked by the path itself, so `Tags.Id` is every Id of `Tags`. The first member
 * is taken before, which costs little where there is none: that is what most records have.
 */
function joined(paths: readonly string[], toSet: Sql): Sql {
  return paths
    .map((path) => sql`coalesce(${toSet}(${valuesAt(path.split('.'))}), '{}')`)
    .reduce((left, right) => sql`${left} || ${right}`)
}

function valuesAt([first = '', ...further]: readonly string[]): Sql {
  const member = sql`data -> ${literal(first)}`
  if (further.length === 0) return member
  return sql`jsonb_path_query_array(${member}, ${literal(`$.${further.join('.')}`)})`
}

/** A text at a path, as far as an index takes it: an entry may have 2,704 bytes. */
export function textAt(...path: readonly string[]): Sql {
  return sql`left(data #>> array[${join(path.map(literal), ', ')}], 250)`
}

/** A flag, at the first of these paths where there is one. */
export function flagAt(...paths: readonly (readonly string[])[]): GeneratedColumn {
  const flags = paths.map(
    (path) => sql`content_flag(data #> array[${join(path.map(literal), ', ')}])`,
  )
  return { type: 'boolean', expression: sql`coalesce(${join(flags, ', ')})`, index: 'none' }
}

export function numberAt(...path: readonly string[]): GeneratedColumn {
  const value = sql`data #> array[${join(path.map(literal), ', ')}]`
  return { type: 'double precision', expression: sql`content_number(${value})`, index: 'none' }
}

export function timeAt(member: string): GeneratedColumn {
  const expression = sql`content_time(data ->> ${literal(member)})`
  return { type: 'timestamptz', expression, index: 'none' }
}

const place = (kind: string, ...path: readonly string[]) =>
  sql`${literal(kind)} || ${textAt(...path)}`

/** The columns that every entity has, for the filters that every list knows (interface 4.2). */
const commonColumns: Columns = {
  // 250 characters of four bytes leave room for the identifier in an index entry, and for 100
  // characters of one more column.
  shortname: { type: 'text', expression: textAt('Shortname'), index: 'none' },
  active: flagAt(['Active']),
  source: { type: 'text', expression: textAt('_Meta', 'Source'), index: 'btree' },
  closed: {
    type: 'boolean',
    expression: sql`coalesce(content_flag(data #> '{LicenseInfo,ClosedData}'), false)`,
    index: 'none',
  },
  last_change: { ...timeAt('LastChange'), index: 'btree' },
  languages: { ...lowerSetOf('HasLanguage'), index: 'none' },
  tag_ids: setOf('TagIds', 'Tags.Id'),
  published_on: lowerSetOf('PublishedOn'),
  area_ids: setOf('AreaIds', 'AreaId', 'LocationInfo.AreaInfo.Id'),
  // As the location filter spells them: kind and identifier.
  places: {
    type: 'text[]',
    expression: sql`array_remove(array[${join(
      [
        place('reg', 'LocationInfo', 'RegionInfo', 'Id'),
        place('tvs', 'LocationInfo', 'TvInfo', 'Id'),
        place('mun', 'LocationInfo', 'MunicipalityInfo', 'Id'),
        place('fra', 'LocationInfo', 'DistrictInfo', 'Id'),
        place('reg', 'RegionId'),
        place('tvs', 'TourismvereinId'),
        place('tvs', 'TourismVereinId'),
        place('mun', 'MunicipalityId'),
        place('fra', 'DistrictId'),
      ],
      ', ',
    )}], null)`,
    index: 'set',
  },
  position: {
    type: 'geography(Point, 4326)',
    expression: sql`content_position(data)`,
    index: 'gist',
  },
}

/** What records have that the platform shows or not. */
const tourismColumns = (naming: Naming): Columns => ({
  hub_active: flagAt([naming.active], ['SmgActive']),
  hub_tags: lowerSetOf(`${naming.tags}.Id`, 'SmgTags'),
})

/** Whether the records are such as the platform shows or not. */
export function isShown({ naming, schema }: Entity): boolean {
  return naming.active in schema.properties
}

const known = new WeakMap<Entity, Columns>()

/** Every generated column of the entity. They are made once: every plan of a list asks for them. */
export function columnsOf(entity: Entity): Columns {
  const columns = known.get(entity) ?? makeColumns(entity)
  known.set(entity, columns)
  return columns
}

function makeColumns(entity: Entity): Columns {
  const titles = join(entity.titles.map(literal), ', ')
  return {
    ...commonColumns,
    titles: {
      type: 'text',
      expression: sql`content_titles(data, array[${titles}])`,
      index: 'none',
    },
    ...(isShown(entity) ? tourismColumns(entity.naming) : {}),
    ...entity.columns,
  }
}
