import {
  columnsOf,
  dataOf,
  isVisible,
  itemAddress,
  jsonAt,
  listMembers,
  represent,
  tableOf,
  toRepresentation,
  toStoredField,
  withheldFields,
  withheldRecords,
  wordsOf,
} from '../content/index.ts'
import type { Entity, Member } from '../content/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Collection, Kind, ListedProperty, Queryable, Reader, View } from './collection.ts'

/** Languages for which multilingual properties are listed. */
const listed = ['de', 'it', 'en']

/** Converts an entity whose records have a place into a collection of features. */
export function contentCollection(entity: Entity, publicUrl: string): Collection {
  const members = listMembers(entity)
  const properties = members.flatMap(toProperties)
  const known = new Map(properties.map(({ name, type }) => [name, type]))
  const geometry = geometryOf(entity)
  const time = timeOf(entity, members)
  return {
    id: entity.name,
    ...wordsOf(entity.naming, entity.name),
    dataset: `content/${entity.name}`,
    key: sql`id`,
    geometry,
    timeOf: time.about,
    properties,
    version: versionOfDataset(sql`${entity.name}`),
    viewFor: (reader, names) => viewOf({ entity, publicUrl, known, geometry, time }, reader, names),
  }
}

/**
 * Returns the geometry of a record: its shape or outline if there is one, otherwise its position.
 */
function geometryOf(entity: Entity): Sql {
  if (entity.area === 'event') return sql`shape`
  if (Object.hasOwn(entity.schema.properties, 'Geometry')) return sql`content_outline(data)`
  return sql`position::geometry`
}

/**
 * Returns the time of a record. An entity without times of its own uses the time of the last
 * change.
 */
function timeOf(
  { columns }: Entity,
  members: readonly Member[],
): View['time'] & { readonly about: string } {
  const named = (role: Member['role']) => members.find((one) => one.role === role)?.path
  const [from, to] = [named('from'), named('to')]
  if (from === undefined || to === undefined || /[{[]/.test(from + to)) {
    const changed = sql`last_change`
    return { from: changed, to: changed, about: 'LastChange' }
  }
  const at = (path: string) => sql`content_time(data #>> ${path.split('.')}::text[])`
  // A record without both may have the dates of an event. The end of each range is exclusive, so a
  // microsecond is subtracted.
  const hasDates = Object.hasOwn(columns, 'times')
  const first = hasDates ? sql`lower(times)` : sql`null`
  const last = hasDates
    ? sql`greatest(lower(times), upper(times) - interval '1 microsecond')`
    : sql`null`
  return {
    from: sql`coalesce(${at(from)}, ${at(to)}, ${first})`,
    // A record with a start but no end is still in progress. A last day is included to its end.
    to: sql`coalesce(
      ${at(to)} + case when data #>> ${to.split('.')}::text[] ~ '(T00:00:00(\.0+)?|^.{10})$'
        then interval '1 day' - interval '1 microsecond' else interval '0' end, case when ${at(from)} is not null then 'infinity'::timestamptz end, ${last})`,
    about: `${from} to ${to}${hasDates ? '; where there is neither, the dates in EventDate' : ''}`,
  }
}

/**
 * Returns the properties of a field that holds a single value. A multilingual text has one property
 * per language.
 */
function toProperties(member: Member): readonly ListedProperty[] {
  const { path, type, isList, canFilter, label, takesToken } = member
  if (!canFilter || isList || type === 'object' || path.includes('{key}') || takesToken) return []
  const languages = path.includes('{language}') ? listed : [undefined]
  return languages.map((language) => ({
    name: language === undefined ? path : path.replaceAll('{language}', language),
    type,
    title: label?.en ?? null,
  }))
}

type Known = ReadonlyMap<string, Queryable['type']>

type Viewed = {
  readonly entity: Entity
  readonly publicUrl: string
  readonly known: Known
  readonly geometry: Sql
  readonly time: View['time']
}

function viewOf(
  { entity, publicUrl, known, geometry, time }: Viewed,
  reader: Reader,
  names?: readonly string[],
): View {
  const { principal, visibility, language } = reader
  const isAnonymous = principal.kind === 'anonymous'
  const reduced = isAnonymous && entity.closedFields.length > 0
  const query = {
    removenullvalues: false,
    ...(names === undefined ? {} : { fields: names }),
    ...(language === undefined ? {} : { language }),
  }
  const representation = toRepresentation(query, { entity, reduced })
  const caller = { visibility, isAnonymous, isStrict: false }
  return {
    from: tableOf(entity),
    where: isVisible(entity, visibility),
    time,
    queryables: {
      names: [...known.keys()],
      geometry,
      find: (name) => findProperty(name, { entity, known, reduced }),
    },
    columns: dataOf({ entity, reduced, representation }),
    write: (data, id) => represent(data, itemAddress(publicUrl, entity, id), representation),
    withheld: [...withheldFields(entity, caller), ...withheldRecords(entity, caller)],
  }
}

type Finding = Pick<Viewed, 'entity' | 'known'> & { readonly reduced: boolean }

/** Finds a property. Any path into a record is one, listed or not, as in `rawfilter`. */
function findProperty(name: string, { entity, known, reduced }: Finding): Queryable | undefined {
  if (name === 'geometry') return { type: 'geometry', as: () => sql`null` }
  const names = name.split('.')
  const [first = ''] = names
  if (!Object.hasOwn(entity.schema.properties, first)) return undefined
  const segments = names.map((part) => ({ kind: 'name', name: part }) as const)
  const span = { start: 0, end: 0 }
  const scope = { entity, naming: entity.naming, isReduced: reduced }
  const field = toStoredField({ segments, span }, scope)
  const column = columnFor(name, entity)
  const as = (kind: Kind) => (kind === column?.kind ? column.value : asKind(jsonAt(field), kind))
  return { type: known.get(name) ?? 'any', as }
}

/** Returns a column that holds exactly the value in the record, if there is one. */
function columnFor(name: string, entity: Entity) {
  if (name === 'Id') return { kind: 'text', value: sql`id` } as const
  if (name === 'Active' && 'active' in columnsOf(entity)) {
    return { kind: 'boolean', value: sql`active` } as const
  }
  if (name === 'LastChange') return { kind: 'time', value: sql`last_change` } as const
  return undefined
}

/** Returns SQL for a JSON value as a kind; null if it is not of that kind. */
export function asKind(json: Sql, kind: Kind): Sql {
  switch (kind) {
    case 'text':
      return sql`((${json}) #>> '{}')`
    case 'number':
      return sql`content_number(${json})`
    case 'boolean':
      return sql`content_flag(${json})`
    case 'time':
      return sql`content_time((${json}) #>> '{}')`
  }
}
