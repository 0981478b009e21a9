import { AppError } from '../errors/index.ts'
import type { Issue } from '../errors/index.ts'
import { LanguageError } from '../lang/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { FieldType, Group, Shown } from './catalogue/groups.ts'
import { edgeLevel, latestLevel, stationLevel } from './catalogue/levels.ts'
import type { Level } from './catalogue/levels.ts'
import type { Profile } from './parameters.ts'
import { parseSelect, rejectedSelect } from './select/grammar.ts'
import { resolveSelect } from './select/resolve.ts'
import {
  comparable,
  memberships,
  operatorsOf,
  parseWhere,
  places,
  rejectedWhere,
  printWhere,
} from './where/grammar.ts'
import type { TargetKind } from './where/grammar.ts'
import { resolveWhere } from './where/resolve.ts'

/** All operators of `where`. */
export const whereOperators = [
  ...new Set([...operatorsOf.number, ...operatorsOf.text, ...memberships, ...places]),
]

type DataTypeWords = { readonly unit: string | null; readonly description: string | null }

/** Loads units and descriptions of data types by name. Everybody may list data types (D60). */
export async function loadDataTypeWords(
  database: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, DataTypeWords>> {
  const rows = await database.texts(sql`
    select name, unit, description from data_type where name = any(${[...names]}::text[])`)
  return new Map(
    rows.map(([name, unit = null, description = null]) => [name ?? '', { unit, description }]),
  )
}

/** A field of the paths of a station type, as `select` and `where` name it. */
export type TimeseriesField = {
  readonly name: string
  readonly type: 'text' | 'boolean' | 'number' | 'time' | 'json' | 'value' | 'place'
  /** Operators of `where` that may follow the field. */
  readonly operators: readonly string[]
  /** Paths that have the field: all of stations, those with data types, or those of edges. */
  readonly at: 'stations' | 'values' | 'edges'
  readonly shown?: Shown | undefined
}

/** Number of stations whose metadata is searched for fields. */
const stationsLookedAt = 500
const maxMembers = 100

/** Lists the fields of a station type, including those of the metadata of its stations. */
export async function listFields(
  database: Queryable,
  type: string,
): Promise<readonly TimeseriesField[]> {
  const own = latestLevel.groups.flatMap((group) => fieldsOf(group))
  const edges = edgeLevel.groups.flatMap((group) => fieldsOf(group)).map(atEdges)
  return [...own, ...(await loadMetadata(database, type)), ...edges]
}

function fieldsOf({ name, fields }: Group): readonly TimeseriesField[] {
  const at = name === 'station' || name === 'parent' ? 'stations' : 'values'
  return fields.map((field) => {
    const { type, target } = kinds[field.type]
    const { name, shown } = field
    return { name, type, operators: operatorsFor(target), at, shown }
  })
}

const atEdges = (field: TimeseriesField): TimeseriesField => ({ ...field, at: 'edges' })

type Kind = { readonly type: TimeseriesField['type']; readonly target: TargetKind }

const number: Kind = { type: 'number', target: 'number' }
const place: Kind = { type: 'place', target: 'geometry' }

const kinds: Readonly<Record<FieldType, Kind>> = {
  text: { type: 'text', target: 'text' },
  boolean: { type: 'boolean', target: 'boolean' },
  integer: number,
  bigint: number,
  number,
  time: { type: 'time', target: 'time' },
  json: { type: 'json', target: 'json' },
  value: { type: 'value', target: 'value' },
  point: place,
  geometry: place,
}

function operatorsFor(target: TargetKind): readonly string[] {
  if (target === 'geometry') return [...operatorsOf.null, ...places]
  const single = [...comparable[target], 'null' as const].flatMap((kind) => operatorsOf[kind])
  return [...new Set([...single, ...(target === 'json' ? [] : memberships)])]
}

/**
 * Loads the fields of the metadata of a station type, the most frequent first. Metadata has no
 * fixed schema, so its fields are searched in the stations. Everybody may list stations (decision
 * D60).
 */
async function loadMetadata(
  database: Queryable,
  type: string,
): Promise<readonly TimeseriesField[]> {
  const rows = await database.texts(sql`
    select member.key, case when min(of.kind) = max(of.kind) then min(of.kind) end
    from (
      select metadata from station
      where type = ${type} and available and jsonb_typeof(metadata) = 'object'
      order by code limit ${stationsLookedAt}::bigint) as known
    cross join lateral jsonb_each(known.metadata) as member
    cross join lateral jsonb_typeof(member.value) as of(kind)
    where of.kind <> 'null'
    group by member.key order by count(*) desc, member.key limit ${maxMembers}::bigint`)
  return rows.map(([key, kind]) => ({
    name: `smetadata.${key ?? ''}`,
    type: jsonKinds[kind ?? ''] ?? 'json',
    operators: operatorsFor('path'),
    at: 'stations',
    shown: metadata[key ?? ''],
  }))
}

/** Roles and labels of metadata fields that many station types have. */
const metadata: Readonly<Record<string, Shown>> = {
  municipality: { role: 'municipality', label: ['Gemeinde', 'Comune', 'Municipality'] },
  capacity: { role: 'capacity', label: ['Kapazität', 'Capacità', 'Capacity'] },
}

const jsonKinds: Readonly<Record<string, TimeseriesField['type']>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
}

/** Parameters of requests whose values are expressions of a small language. */
export const timeseriesExpressions = ['where', 'select'] as const

/** Kind of path that an expression is for. */
export type ReadKind = 'stations' | 'values' | 'edges'

type ExpressionCheck = {
  readonly name: (typeof timeseriesExpressions)[number]
  readonly written: string
  readonly at: ReadKind
  readonly profile: Profile
}

type Checked = {
  readonly valid: boolean
  readonly canonical: string | null
  readonly errors: readonly Issue[]
}

const levels: Readonly<Record<ReadKind, Level>> = {
  stations: stationLevel,
  values: latestLevel,
  edges: edgeLevel,
}

/** Parses and resolves an expression as a request would, but runs nothing. Errors are returned. */
export function checkTimeseriesExpression(wanted: ExpressionCheck): Checked {
  try {
    return { valid: true, canonical: read(wanted), errors: [] }
  } catch (error) {
    const refusal = error instanceof LanguageError ? refusalOf(wanted.name, error) : error
    if (!(refusal instanceof AppError)) throw error
    const { message, issues } = refusal
    const errors = issues.length > 0 ? issues : [{ parameter: wanted.name, detail: message }]
    return { valid: false, canonical: null, errors }
  }
}

function read({ name, written, at, profile }: ExpressionCheck): string {
  if (name === 'select') {
    const shown = resolveSelect(parseSelect(written), levels[at])
    return shown.map(({ key }) => key).join(',')
  }
  const expression = parseWhere(written, profile === 'strict' ? 'required' : 'optional')
  resolveWhere(expression, levels[at])
  return printWhere(expression)
}

function refusalOf(name: ExpressionCheck['name'], error: LanguageError): AppError {
  if (name === 'where') return rejectedWhere(error)
  const { message, position, expected, hint } = error
  return rejectedSelect({ detail: message, position, expected, hint })
}
