import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { schemaIssues } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { changed, isSchema, membersOf, valueOfKeys } from '../deprecations/index.ts'
import type { Entity } from '../entity.ts'

type Path = readonly string[]

/**
 * The members that the hub computes with (decision D66), by the names that lead to them; `*` is any name. What stands
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
  /** What keeps a record from being stored: faults of members that the hub computes with. */
  readonly refusals: (record: object) => readonly Issue[]
  /** What of a record is stored as it came, though it is of another type than usual. */
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
    refusals: (record) => schemaIssues(faultsOf(strict, record)),
    warnings: (record) => {
      const faults = faultsOf(usual, record)
      const isCut = faults.length >= Settings.Get().maxErrors
      return isCut ? [...schemaIssues(faults), unnamed] : schemaIssues(faults)
    },
  }
  checks.set(entity, check)
  return check
}

const unnamed: Issue = { pointer: '', detail: 'may have more members of another type than usual' }

// To explain takes a hundred times as long as to check.
function faultsOf(guard: Guard, record: object): TLocalizedValidationError[] {
  return guard.Check(record) ? [] : guard.Errors(record)
}

/** The schema with what it says of the members on the paths, in them and on the way to them; others may be anything. */
function strictOn(paths: readonly Path[], schema: TSchema): TSchema {
  if (paths.length === 0) return Type.Unknown()
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) return changed(schema, { items: strictOn(paths, items) })
  const value = valueOfKeys(schema)
  if (value !== undefined) {
    return changed(schema, { patternProperties: { '^.*$': strictOn(below(paths, '*'), value) } })
  }
  const members = Object.entries(membersOf(schema))
  if (members.length === 0) return orText(schema)
  const properties: Readonly<Record<string, TSchema>> = Object.fromEntries(
    members.map(([name, member]) => [name, strictOn(below(paths, name), member)]),
  )
  return changed(schema, { properties })
}

/** What is left of the paths behind a name; all of what is in the last member of a path belongs to it. */
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
    return [text(flag), Type.Literal(0), Type.Literal(1)]
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
