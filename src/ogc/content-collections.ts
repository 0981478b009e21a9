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

/** The languages by which properties with texts in several are listed. */
const listed = ['de', 'it', 'en']

/** An entity whose records are somewhere, as a collection of features. */
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

/** Shapes and outlines where there are some, otherwise the position. */
function geometryOf(entity: Entity): Sql {
  if (entity.area === 'event') return sql`shape`
  if (Object.hasOwn(entity.schema.properties, 'Geometry')) return sql`content_outline(data)`
  return sql`position::geometry`
}

/** When something takes place; what has no time of its own is there since it was last changed. */
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
  // What names neither may have the dates of an event, each with an end that no longer belongs to it.
  const hasDates = Object.hasOwn(columns, 'times')
  const first = hasDates ? sql`lower(times)` : sql`null`
  const last = hasDates
    ? sql`greatest(lower(times), upper(times) - interval '1 microsecond')`
    : sql`null`
  return {
    from: sql`coalesce(${at(from)}, ${at(to)}, ${first})`,
    // What has no end yet goes on, and a last day belongs to it.
    to: sql`coalesce(
      ${at(to)} + case when data #>> ${to.split('.')}::text[] ~ '(T00:00:00(\.0+)?|^.{10})$'
        then interval '1 day' - interval '1 microsecond' else interval '0' end, case when ${at(from)} is not null then 'infinity'::timestamptz end, ${last})`,
    about: `${from} to ${to}${hasDates ? '; where there is neither, the dates in EventDate' : ''}`,
  }
}

/** Fields with one value; those with a text in several languages once for each. */
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

/** Listed or not: any path into a record is a property, as in `rawfilter`. */
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

/** Columns that hold exactly what the record says. */
function columnFor(name: string, entity: Entity) {
  if (name === 'Id') return { kind: 'text', value: sql`id` } as const
  if (name === 'Active' && 'active' in columnsOf(entity)) {
    return { kind: 'boolean', value: sql`active` } as const
  }
  if (name === 'LastChange') return { kind: 'time', value: sql`last_change` } as const
  return undefined
}

/** A JSON value as one of a kind; null where it is none. */
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
