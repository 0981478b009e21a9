import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { schemaIssues } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { fieldsOf, isObject, textOf, textsOf, withoutFields } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { changed } from '../deprecations/index.ts'
import { isByLanguage, isSchema, schemaFields, valueOfKeys } from '../schema-fields.ts'
import { toStoredId } from '../table.ts'
import type { Entity } from '../entity.ts'
import { languages } from '../representation.ts'
import { withGenerated, withoutGenerated } from './generated/index.ts'
import type { Lookups } from './generated/index.ts'

/** A record as sent, checked against the schema of its entity. Some records have a number as Id. */
export type ContentRecord = Readonly<Record<string, unknown>> & { readonly Id: string | number }

type Saving = {
  /**
   * When the hub received the record. The same message gives the same record whenever it is
   * processed.
   */
  readonly received: Date
  /** Source of records that name none: the provider of the stream. */
  readonly provider: string
  /** Data of the records that this one names, such as its tags. */
  readonly lookups?: Lookups
  /** Public URL of the hub, if the writer has it. */
  readonly publicUrl?: string
}

/** A record to store, and the identifier under which it is found. */
export type StoredRecord = { readonly id: string; readonly data: Readonly<Record<string, unknown>> }

/**
 * Returns the record to store: the sender's fields, and those that the hub generates on every save.
 */
export function toStored(entity: Entity, record: ContentRecord, saving: Saving): StoredRecord {
  const saved = saving.received.toISOString()
  const id = toStoredId(entity, String(record.Id))
  // `Self` depends on the URL of the deployment and is added when a record is read.
  const dropped = ['Self', ...entity.removedFields, ...computedIn(entity, record, saving.publicUrl)]
  const members = withoutFields(withoutGenerated(record), dropped)
  const { record: complete, paths } = withGenerated(entity, members, saving.lookups)
  const lastChange = typeof record['LastChange'] === 'string' ? record['LastChange'] : saved
  const data = {
    ...complete,
    Id: typeof record.Id === 'number' ? record.Id : id,
    HasLanguage: hasLanguage(entity, members),
    LastChange: lastChange,
    _Meta: {
      ...withoutFields(fieldsOf(record['_Meta']), ['Generated']),
      Id: id,
      Type: entity.type,
      Source: sourceOf(record) ?? saving.provider.toLowerCase(),
      LastUpdate: saved,
      LastChange: lastChange,
      Reduced: false,
      ...(paths.length === 0 ? {} : { Generated: paths }),
    },
  }
  return { id, data }
}

/**
 * Returns the fields that every read computes again for its caller. If they were stored, they would
 * show everyone what the writer saw.
 */
function computedIn(entity: Entity, record: Members, publicUrl?: string): readonly string[] {
  const isComputed = textsOf(record['PathParam']).length > 0 && isOwnDataset(record, publicUrl)
  return isComputed ? entity.computedFields : []
}

/**
 * Reports whether a metadata record describes a dataset of this hub. Other records name the host of
 * their dataset.
 */
export function isOwnDataset(record: Members, publicUrl?: string): boolean {
  const { hub } = fieldsOf(record['Mapping'])
  if (textOf(fieldsOf(hub)['dataset']) !== undefined) return true
  const base = textOf(record['BaseUrl'])
  return base === undefined || base.replace(/\/+$/, '') === publicUrl
}

/**
 * Returns the source of a record in lower case; undefined if it names none. A record has exactly
 * one source (interface 2.2, decision D29).
 */
export function sourceOf(record: ContentRecord): string | undefined {
  const source = textOf(fieldsOf(record['_Meta'])['Source']) ?? textOf(record['Source'])
  return source?.toLowerCase()
}

const codes = new Set<string>(languages)

/**
 * Returns the languages in which a record has content: those whose entry in any field keyed by
 * language contains a text (reference content.md 3.4). Sorted, so that equal records have equal
 * lists.
 */
export function hasLanguage(entity: Entity, record: Members): readonly string[] {
  const known = keyingOf(entity)
  const found = new Set<string>()
  for (const [name, member] of Object.entries(record)) {
    if (!isObject(member) || !(known.get(name) ?? hasOnlyLanguages(member))) continue
    for (const [language, entry] of Object.entries(member)) {
      if (codes.has(language) && saysSomething(entry)) found.add(language)
    }
  }
  return [...found].sort()
}

const keyings = new WeakMap<Entity, ReadonlyMap<string, boolean>>()

/** Returns, for each field in the schema of an entity, whether it is keyed by language. */
function keyingOf(entity: Entity): ReadonlyMap<string, boolean> {
  const known = keyings.get(entity)
  if (known !== undefined) return known
  const fields = Object.entries(schemaFields(entity.schema))
  const keying = new Map(fields.map(([name, schema]) => [name, isByLanguage(schema)]))
  keyings.set(entity, keying)
  return keying
}

/**
 * Reports whether all keys of an object are languages. This decides for fields that the schema does
 * not have.
 */
function hasOnlyLanguages(member: Members): boolean {
  return Object.keys(member).every((name) => codes.has(name))
}

/**
 * Reports whether an entry contains a text. `Language` does not count, because it only repeats the
 * key.
 */
function saysSomething(entry: unknown): boolean {
  if (typeof entry === 'string') return entry.trim() !== ''
  if (typeof entry !== 'object' || entry === null) return false
  return Object.entries(entry).some(
    ([name, value]) => name !== 'Language' && typeof value === 'string' && value.trim() !== '',
  )
}

type Path = readonly string[]

/**
 * Paths of the fields that the hub computes with (decision D66); `*` stands for any name. Their
 * values must have the type of the schema, or be a text that represents one, otherwise the record
 * is rejected. All other fields are stored as sent.
 */
const computedWith: readonly Path[] = [
  ...['Id', '_Meta', 'LicenseInfo', 'Active', 'SmgActive', 'Source', 'Mapping', 'PublishedOn'],
  ...['TagIds', 'Tags.Id', 'GpsInfo.Latitude', 'GpsInfo.Longitude', 'GpsInfo.Default'],
  ...['GpsPoints.*.Latitude', 'GpsPoints.*.Longitude', 'Geo.*.Latitude', 'Geo.*.Longitude'],
  ...['Latitude', 'Longitude', 'latitude', 'longitude', 'Geometry'],
  ...['LastChange', 'FirstImport', 'DateBegin', 'DateEnd', 'StartDate', 'EndDate'],
  ...['EventDate.From', 'EventDate.To', 'EventDate.Begin', 'EventDate.End'],
].map((path) => path.split('.'))

type Guard = {
  readonly Check: (value: unknown) => boolean
  readonly Errors: (value: unknown) => TLocalizedValidationError[]
}

export type RecordCheck = {
  /** Reports whether a record can be stored, without the reasons. */
  readonly takes: (record: object) => boolean
  /**
   * Returns the reasons why a record cannot be stored: faults in fields that the hub computes with.
   */
  readonly refusals: (record: object) => readonly Issue[]
  /**
   * Returns the values that are stored as sent although their type is not the usual one, and the
   * tags whose letter case is changed.
   */
  readonly warnings: (record: object) => readonly Issue[]
}

const checks = new WeakMap<Entity, RecordCheck>()

/**
 * Returns the check for records of an entity. Compiling its schemas takes some milliseconds, so it
 * is done once.
 */
export function checkOf(entity: Entity): RecordCheck {
  const known = checks.get(entity)
  if (known !== undefined) return known
  const strict = Compile(strictOn([[entity.naming.active], ...computedWith], entity.schema))
  const usual = Compile(entity.schema)
  const check: RecordCheck = {
    takes: (record) => strict.Check(record),
    refusals: (record) => issuesOf(strict, record),
    warnings: (record) => [...issuesOf(usual, record, [unnamed]), ...renamedTags(entity, record)],
  }
  checks.set(entity, check)
  return check
}

const unnamed: Issue = {
  pointer: '',
  detail: 'may have more fields that are not of the usual type',
}

/** @param cut issues that are added if there are more faults than are listed */
function issuesOf(guard: Guard, record: object, cut: readonly Issue[] = []): readonly Issue[] {
  // Collecting the errors takes a hundred times as long as checking.
  if (guard.Check(record)) return []
  const faults = guard.Errors(record)
  return [...schemaIssues(faults), ...(faults.length < Settings.Get().maxErrors ? [] : cut)]
}

/**
 * Returns the schema restricted to the fields on the paths, what is in them, and the objects on the
 * way to them. All other fields may have any value.
 */
function strictOn(paths: readonly Path[], schema: TSchema): TSchema {
  if (paths.length === 0) return Type.Unknown()
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) return changed(schema, { items: strictOn(paths, items) })
  const value = valueOfKeys(schema)
  if (value !== undefined) {
    return changed(schema, { patternProperties: { '^.*$': strictOn(below(paths, '*'), value) } })
  }
  const members = Object.entries(schemaFields(schema))
  if (members.length === 0) return orText(schema)
  const properties: Readonly<Record<string, TSchema>> = Object.fromEntries(
    members.map(([name, member]) => [name, strictOn(below(paths, name), member)]),
  )
  return changed(schema, { properties })
}

/**
 * Returns what remains of the paths after a name. Everything inside the last field of a path
 * belongs to it.
 */
function below(paths: readonly Path[], name: string): readonly Path[] {
  return paths.flatMap(([next, ...further]) => {
    if (next === undefined) return [[]]
    return next === '*' || next === name ? [further] : []
  })
}

/** Allows texts that represent a number or a flag, if the schema is one of these. */
function orText(schema: TSchema): TSchema {
  const meaning = textsThatMean(schema)
  return meaning === undefined ? schema : Type.Union([schema, ...meaning])
}

function textsThatMean(schema: TSchema): readonly TSchema[] | undefined {
  const types = [Reflect.get(schema, 'type')].flat()
  const text = (pattern: string) => Type.String({ pattern })
  if (types.includes('boolean')) {
    // The same spaces as in `content_flag`: a flag that it does not understand would open a record.
    const spaces = String.raw`[ \t\n\r\f\v]*`
    const flag = `^${spaces}([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|0|1)${spaces}$`
    return [text(flag), Type.Enum([0, 1])]
  }
  if (types.includes('integer')) return [text(String.raw`^-?\d{1,15}$`)]
  if (!types.includes('number')) return undefined
  const decimals = String.raw`([.,]\d{1,30})?`
  switch (Reflect.get(schema, 'maximum')) {
    case 90:
      return [text(String.raw`^-?0{0,9}([1-8]?\d${decimals}|90([.,]0+)?)$`)]
    case 180:
      return [text(String.raw`^-?0{0,9}((1[0-7]|[1-9])?\d${decimals}|180([.,]0+)?)$`)]
    default:
      return [text(String.raw`^-?\d{1,15}${decimals}$`)]
  }
}

type Renamed<Record> = {
  readonly record: Record
  /** Places where letters were changed to lower case. */
  readonly renamed: readonly Issue[]
}

/**
 * Returns a record with its tags in lower case (interface 2.3), whether it names them or is one
 * itself, so that filters and records agree. If tags keep their letter case, it returns the same
 * record.
 */
export function withLowerTags<Record extends Members>(
  entity: Entity,
  record: Record,
): Renamed<Record> {
  if (entity.tagCase === 'any') return { record, renamed: [] }
  const renamed: Issue[] = []
  const members = namesOf(entity)
    .filter((name) => name in record)
    .map((name) => [name, toLower(record[name], `/${name}`, renamed)] as const)
  if (renamed.length === 0) return { record, renamed }
  return { record: { ...record, ...Object.fromEntries(members) }, renamed }
}

/**
 * Maximum number of tags that are reported. It is more than a record has, but a flood of tags must
 * not fill the response.
 */
const maxNamed = 100

/** Returns what `withLowerTags` changes in a record, as issues for its sender. */
function renamedTags(entity: Entity, record: object): readonly Issue[] {
  const { renamed } = withLowerTags(entity, { ...record })
  if (renamed.length <= maxNamed) return renamed
  const more = `${String(renamed.length - maxNamed)} more tags are stored in lower case`
  return [...renamed.slice(0, maxNamed), { pointer: '', detail: more }]
}

/** Returns the fields that contain identifiers of tags, as texts or as objects with an `Id`. */
function namesOf({ name, naming }: Entity): readonly string[] {
  const links = ['TagIds', 'Tags', 'SmgTags', naming.tags]
  return name === 'Tag' ? ['Id', naming.tagIds, ...links] : links
}

function toLower(value: unknown, at: string, renamed: Issue[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => toLower(item, `${at}/${String(index)}`, renamed))
  }
  if (isObject(value) && 'Id' in value) {
    return { ...value, Id: toLower(value['Id'], `${at}/Id`, renamed) }
  }
  if (typeof value !== 'string') return value
  const lower = value.toLowerCase()
  if (lower !== value) renamed.push({ pointer: at, detail: `is stored in lower case: ${lower}` })
  return lower
}
