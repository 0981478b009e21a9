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

/** A record as a sender gives it: checked against the schema of its entity. Some have numbers as Id. */
export type ContentRecord = Readonly<Record<string, unknown>> & { readonly Id: string | number }

type Saving = {
  /** When the hub got the record; the same message gives the same record whenever it is processed. */
  readonly received: Date
  /** Source of records that name none: the provider of the stream. */
  readonly provider: string
  /** What is known of the records that this one names, such as its tags. */
  readonly lookups?: Lookups
  /** Where the hub is, when the writer knows it. */
  readonly publicUrl?: string
}

/** A record to store, and the identifier under which it is found. */
export type StoredRecord = { readonly id: string; readonly data: Readonly<Record<string, unknown>> }

/** What to store: the sender's fields, and those that the hub generates on every save. */
export function toStored(entity: Entity, record: ContentRecord, saving: Saving): StoredRecord {
  const saved = saving.received.toISOString()
  const id = toStoredId(entity, String(record.Id))
  // `Self` depends on the address of the deployment and is added when a record is read.
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

/** Every read makes these anew, for each caller its own: kept, they would show to all what the writer saw. */
function computedIn(entity: Entity, record: Members, publicUrl?: string): readonly string[] {
  const isComputed = textsOf(record['PathParam']).length > 0 && isOwnDataset(record, publicUrl)
  return isComputed ? entity.computedFields : []
}

/** Whether a metadata record describes a dataset of this hub; others name the host where theirs is. */
export function isOwnDataset(record: Members, publicUrl?: string): boolean {
  const { hub } = fieldsOf(record['Mapping'])
  if (textOf(fieldsOf(hub)['dataset']) !== undefined) return true
  const base = textOf(record['BaseUrl'])
  return base === undefined || base.replace(/\/+$/, '') === publicUrl
}

/** Exactly one source per record, in lower case (interface 2.2, decision D29). */
export function sourceOf(record: ContentRecord): string | undefined {
  const source = [fieldsOf(record['_Meta'])['Source'], record['Source']].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof source === 'string' ? source.toLowerCase() : undefined
}

const codes = new Set<string>(languages)

/**
 * The languages in which a record says something: those whose entry in any field keyed by language
 * holds a text (reference content.md 3.4). Sorted, so that equal records have equal lists.
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

/** Whether each field that the schema of an entity knows is keyed by language. */
function keyingOf(entity: Entity): ReadonlyMap<string, boolean> {
  const known = keyings.get(entity)
  if (known !== undefined) return known
  const fields = Object.entries(schemaFields(entity.schema))
  const keying = new Map(fields.map(([name, schema]) => [name, isByLanguage(schema)]))
  keyings.set(entity, keying)
  return keying
}

/** What keys a field that the schema does not know shows in its keys. */
function hasOnlyLanguages(member: Members): boolean {
  return Object.keys(member).every((name) => codes.has(name))
}

/** `Language` only repeats the key, so an entry with nothing else says nothing. */
function saysSomething(entry: unknown): boolean {
  if (typeof entry === 'string') return entry.trim() !== ''
  if (typeof entry !== 'object' || entry === null) return false
  return Object.entries(entry).some(
    ([name, value]) => name !== 'Language' && typeof value === 'string' && value.trim() !== '',
  )
}

type Path = readonly string[]

/**
 * The fields that the hub computes with (decision D66), by the names that lead to them; `*` is any name. What stands
 * in them is of the type of the schema, or a text that means one, or the record is refused. All others are stored as
 * they came.
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
  /** Whether nothing keeps a record from being stored, without saying what does. */
  readonly takes: (record: object) => boolean
  /** What keeps a record from being stored: faults of fields that the hub computes with. */
  readonly refusals: (record: object) => readonly Issue[]
  /** What of a record is stored as it came, though it is of another type than usual, and tags that are not. */
  readonly warnings: (record: object) => readonly Issue[]
}

const checks = new WeakMap<Entity, RecordCheck>()

/** How records of an entity are checked. Compiling its schemas takes some milliseconds, so it is done once. */
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

/** @param cut what is added where there are more faults than are named */
function issuesOf(guard: Guard, record: object, cut: readonly Issue[] = []): readonly Issue[] {
  // To explain takes a hundred times as long as to check.
  if (guard.Check(record)) return []
  const faults = guard.Errors(record)
  return [...schemaIssues(faults), ...(faults.length < Settings.Get().maxErrors ? [] : cut)]
}

/** The schema with what it says of the fields on the paths, in them and on the way to them; others may be anything. */
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

/** What is left of the paths behind a name; all of what is in the last field of a path belongs to it. */
function below(paths: readonly Path[], name: string): readonly Path[] {
  return paths.flatMap(([next, ...further]) => {
    if (next === undefined) return [[]]
    return next === '*' || next === name ? [further] : []
  })
}

/** Numbers and flags may be texts that mean one. */
function orText(schema: TSchema): TSchema {
  const meaning = textsThatMean(schema)
  return meaning === undefined ? schema : Type.Union([schema, ...meaning])
}

function textsThatMean(schema: TSchema): readonly TSchema[] | undefined {
  const types = [Reflect.get(schema, 'type')].flat()
  const text = (pattern: string) => Type.String({ pattern })
  if (types.includes('boolean')) {
    const flag = String.raw`^\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|0|1)\s*$`
    return [text(flag), Type.Enum([0, 1])]
  }
  if (types.includes('integer')) return [text(String.raw`^-?\d{1,15}$`)]
  if (!types.includes('number')) return undefined
  const decimals = String.raw`([.,]\d{1,15})?`
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
  /** Where letters became lower case. */
  readonly renamed: readonly Issue[]
}

/**
 * A record with its tags in lower case (interface 2.3), whether it names them or is one itself, so that
 * filters and records agree. Where tags keep their letter case, it is the very same record.
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

/** More than a record has tags; a flood of them must not fill the answer. */
const mostNamed = 100

/** What `withLowerTags` changes in a record, for its sender. */
function renamedTags(entity: Entity, record: object): readonly Issue[] {
  const { renamed } = withLowerTags(entity, { ...record })
  if (renamed.length <= mostNamed) return renamed
  const more = `${String(renamed.length - mostNamed)} more tags are stored in lower case`
  return [...renamed.slice(0, mostNamed), { pointer: '', detail: more }]
}

/** Fields that hold identifiers of tags, as texts or as objects with an `Id`. */
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
