import type { TSchema } from 'typebox'
import { anonymous } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { deprecatedUses } from './deprecations/index.ts'
import type { InLanguages } from './datasets/index.ts'
import type { Entity } from './entity.ts'
import { filtersOf } from './filters/index.ts'
import { fieldsIn, parseRawFilter, toStoredField } from './rawfilter/index.ts'
import { inLanguages, presentationOf } from './presentation.ts'
import type { Choice, Part, Role } from './presentation.ts'
import { parseRawSort } from './rawsort.ts'
import { parseFields, parseStoredFields } from './representation.ts'
import { isByLanguage, isSchema, schemaFields, typeOf, valueOfKeys } from './schema-fields.ts'
import type { MemberType } from './schema-fields.ts'
import { isVisible, tableOf } from './table.ts'
import { AppError } from '../errors/index.ts'
import type { Issue } from '../errors/index.ts'
import { hintAt } from '../lang/index.ts'
import { fieldsOf, objectsOf, parseObject, textOf } from '../lang/json.ts'
import { all, sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'

/** A field of an entity's records, named as in `fields`, `rawfilter` and `rawsort`. */
export type Member = {
  /** `[*]` denotes every element of an array; `{language}` and `{key}` are placeholders. */
  readonly path: string
  readonly type: MemberType
  readonly description: string | null
  readonly isList: boolean
  readonly canFilter: boolean
  readonly canSort: boolean
  readonly takesToken: boolean
  readonly deprecated: Deprecated | null
  readonly label: InLanguages | null
  readonly role: Role | null
  /** Meaning of the field within its structure, such as a contact or a picture. */
  readonly part: Part | null
  /** Entity of the records that the field refers to by identifier. */
  readonly entity: string | null
  readonly unit: string | null
  readonly filters: readonly string[]
}

export type Deprecated = {
  /** yyyy-MM-dd */
  readonly since: string
  /** The field is served until this day at least. */
  readonly removedAfter: string
  readonly description: string
  readonly replacement: string | null
}

/** Maximum depth of the listed fields. Deeper values are part of the object that contains them. */
const maxDepth = 6

/** Lists every field in the schema of an entity, in schema order. */
export function listMembers(entity: Entity): readonly Member[] {
  const filters = Map.groupBy(listParameters(entity), ({ field }) => field)
  const members = below(entity.schema, { entity, path: '', names: [], depth: 0, isList: false })
  const title = titleField(entity)
  return members.map((member) => ({
    ...member,
    role: member.path === title ? 'title' : member.role,
    filters: filters.get(member.path)?.map(({ name }) => name) ?? [],
  }))
}

/** Returns the path of the field that names a record: the first of the titles. */
export function titleField({ titles: [first = 'Shortname'] }: Entity): string {
  return first.replace('*', '{language}')
}

/** A list parameter that a user interface can offer. */
type ListParameter = Pick<Choice, 'field' | 'kind' | 'types' | 'places'> & {
  readonly name: string
  readonly label: InLanguages
  readonly unit: string | null
  readonly isCounted: boolean
}

/** The choice of a municipality, for all lists whose records have a location. */
const municipality = {
  name: 'locfilter',
  choice: {
    ...{ label: ['Gemeinde', 'Comune', 'Municipality'], kind: 'ids', isCounted: true },
    ...{ field: 'LocationInfo.MunicipalityInfo.Id' },
    places: { entity: 'Municipality', prefix: 'mun' },
  } satisfies Choice,
} as const

/** Lists the parameters of an entity that a user interface can offer, except those of all lists. */
export function listParameters({ filters, schema }: Entity): readonly ListParameter[] {
  const own = filters.flatMap((filter) => filter.parameters)
  const placed = 'LocationInfo' in schemaFields(schema) ? [municipality] : []
  return [...own, ...placed].flatMap(({ name, choice }) =>
    choice === undefined
      ? []
      : [{ unit: null, isCounted: false, ...choice, name, label: inLanguages(choice.label) }],
  )
}

type Place = {
  readonly entity: Entity
  readonly path: string
  /** Path without keys and array steps, as in the deprecation table. */
  readonly names: readonly string[]
  readonly depth: number
  readonly isList: boolean
  readonly deprecated?: Deprecated | null
}

function below(schema: TSchema, place: Place): readonly Member[] {
  if (place.depth >= maxDepth) return []
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) {
    return below(items, { ...place, path: `${place.path}.[*]`, isList: true })
  }
  const value = valueOfKeys(schema)
  if (value !== undefined) {
    const key = isByLanguage(schema) ? '{language}' : '{key}'
    return at(value, { ...place, path: `${place.path}.${key}`, depth: place.depth + 1 })
  }
  return Object.entries(schemaFields(schema)).flatMap(([name, member]) =>
    at(member, {
      ...place,
      path: place.path === '' ? name : `${place.path}.${name}`,
      names: [...place.names, name],
      depth: place.depth + 1,
    }),
  )
}

/** Returns a field, followed by the fields within it. */
function at(schema: TSchema, place: Place): readonly Member[] {
  const deprecated = deprecationAt(place) ?? place.deprecated ?? null
  const inside = below(schema, { ...place, deprecated })
  return [toMember(schema, { ...place, deprecated }), ...inside]
}

function toMember(schema: TSchema, { entity, path, names, isList, deprecated }: Place): Member {
  const items: unknown = Reflect.get(schema, 'items')
  const type = typeOf(isSchema(items) ? items : schema)
  const several = isList || isSchema(items)
  const [first = ''] = names
  const isStored = !entity.computedFields.includes(first) && first !== 'Self'
  const own: unknown = Reflect.get(schema, 'description')
  const {
    label,
    role = null,
    part = null,
    entity: named = null,
    unit = null,
  } = presentationOf(schema)
  return {
    path: isSchema(items) ? `${path}.[*]` : path,
    type,
    description: typeof own === 'string' ? own : null,
    isList: several,
    canFilter: isStored,
    canSort: isStored && !several && type !== 'object' && type !== 'any',
    takesToken: entity.closedFields.includes(first),
    deprecated: deprecated ?? null,
    label: label === undefined ? null : inLanguages(label),
    role,
    part,
    entity: named,
    unit,
    filters: [],
  }
}

function deprecationAt({ entity, names }: Place): Deprecated | undefined {
  const name = names.join('.')
  const row = entity.deprecations.find(
    (one) => one.kind === 'member' && one.state === 'deprecated' && one.name === name,
  )
  if (row === undefined) return undefined
  const { deprecated: since, removedAfter, description, copyOf = null } = row
  return { since, removedAfter, description, replacement: copyOf }
}

/** List parameters whose value is an expression in a small language. */
export const expressions = ['rawfilter', 'rawsort', 'tagfilter', 'polygon', 'fields'] as const
type ExpressionName = (typeof expressions)[number]

/** The result of checking an expression before it is sent. */
export type Checked = {
  readonly valid: boolean
  /** Canonical text; null for an invalid expression, and if the text depends on a look-up. */
  readonly canonical: string | null
  readonly errors: readonly Issue[]
  /** Valid parts that the caller perhaps did not intend. */
  readonly warnings: readonly Issue[]
}

/** Parses an expression as a list would, without running it: shapes and tags are not looked up. */
export function checkExpression(entity: Entity, name: ExpressionName, written: string): Checked {
  try {
    const canonical = name === 'fields' ? readFields(written) : readFilter(entity, name, written)
    return { valid: true, canonical, errors: [], warnings: warningsOf(entity, name, written) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message, issues, hint } = error
    const [first = { parameter: name, detail: message }, ...others] = issues
    const reported = hint === undefined || first.hint !== undefined ? first : { ...first, hint }
    return { valid: false, canonical: null, errors: [reported, ...others], warnings: [] }
  }
}

/** Returns the canonical text of a filter, or null if it depends on a look-up. */
function readFilter(entity: Entity, name: ExpressionName, written: string): string | null {
  const filter = filtersOf(entity).find((one) => one.name === name)
  const query = { [name]: written }
  const reading = filter?.read({ entity, query, principal: anonymous, now: undefined })
  return typeof reading === 'object' ? reading.text : null
}

function readFields(written: string): string {
  return parseFields(written.split(','))
    .map(({ text }) => text)
    .join(',')
}

function warningsOf(entity: Entity, name: ExpressionName, written: string): readonly Issue[] {
  const fields = name === 'fields' ? parseStoredFields(written.split(','), entity) : []
  const uses = deprecatedUses(entity, { fields, query: { [name]: written } })
  return [
    ...uses.map(({ name: member, description, removedAfter }) => ({
      parameter: name,
      detail: `${member} is deprecated and may be removed after ${removedAfter}`,
      hint: description,
    })),
    ...unknownFields(entity, name, written),
  ]
}

/**
 * Returns warnings about fields that the schema does not have. These are not errors, because
 * records can have fields that no schema names.
 */
function unknownFields(entity: Entity, name: string, written: string): readonly Issue[] {
  const known = Object.keys(schemaFields(entity.schema))
  return membersNamed(entity, name, written).flatMap(({ member, position }) => {
    if (member === '' || known.includes(member)) return []
    const detail = `No field ${member} is described for ${entity.name}`
    return [{ parameter: name, detail, position, ...hintAt(member, known) }]
  })
}

function membersNamed(entity: Entity, name: string, written: string) {
  if (name === 'fields') return chosenFields(entity, written)
  const scope = { entity, naming: entity.naming }
  return fieldsNamed(name, written).map((field) => {
    const [member = ''] = toStoredField(field, scope).names
    return { member, position: field.span.start }
  })
}

/** Returns the first field of each path in `fields`, with the position of the path. */
function chosenFields(entity: Entity, written: string) {
  let position = 0
  return written.split(',').flatMap((part) => {
    const start = position + part.length - part.trimStart().length
    position += part.length + 1
    return parseStoredFields([part], entity).flatMap(({ steps: [first] }) =>
      first?.kind === 'member' ? [{ member: first.name, position: start }] : [],
    )
  })
}

function fieldsNamed(name: string, written: string) {
  if (name === 'rawfilter') return fieldsIn(parseRawFilter(written))
  return name === 'rawsort' ? parseRawSort(written).keys.map(({ field }) => field) : []
}

/** Titles of a tag or a place by language. Languages without a title are missing. */
export type TagTitles = Readonly<Record<string, string>>

/** Loads the titles of the tags that the caller may see, by tag identifier. */
export async function loadTagTitles(
  database: Queryable,
  tags: Entity,
  { ids, visibility }: { readonly ids: readonly string[]; readonly visibility: Visibility },
): Promise<ReadonlyMap<string, TagTitles>> {
  const rows = await database.texts(sql`
    select id, data -> 'TagName' from ${tableOf(tags)}
    where ${all([sql`id = any(${[...ids]}::text[])`, isVisible(tags, visibility)])}`)
  return new Map(rows.map(([id, names]) => [id ?? '', toTitles(names)]))
}

/** Loads the titles of an entity's places that the caller may see, by place identifier. */
export async function loadPlaceTitles(
  database: Queryable,
  entity: Entity,
  visibility: Visibility,
): Promise<ReadonlyMap<string, TagTitles>> {
  const rows = await database.texts(sql`
    select id, jsonb_path_query_array(data, 'lax $.Detail.keyvalue()')
    from ${tableOf(entity)} where ${isVisible(entity, visibility)} order by id`)
  return new Map(rows.map(([id, details]) => [id ?? '', toTitlesOfDetails(details)]))
}

function toTitlesOfDetails(details: string | null | undefined): TagTitles {
  const titles = objectsOf(parseObject(`{"details":${details ?? '[]'}}`)['details'])
  return Object.fromEntries(
    titles.flatMap(({ key, value }) => {
      const title = textOf(fieldsOf(value)['Title'])
      return title === undefined ? [] : [[String(key), title]]
    }),
  )
}

function toTitles(names: string | null | undefined): TagTitles {
  const known = Object.entries(fieldsOf(parseObject(`{"names":${names ?? 'null'}}`)['names']))
  return Object.fromEntries(
    known.flatMap(([language, name]) => {
      const title = textOf(name)
      return title === undefined ? [] : [[language, title]]
    }),
  )
}
