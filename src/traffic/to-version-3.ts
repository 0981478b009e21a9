import { Type } from 'typebox'
import type { Static } from 'typebox'
import { isRecord, version2, version3 } from '../datex/index.ts'
import type { Note, Value } from '../datex/index.ts'
import { readYaml } from '../lang/read-yaml.ts'
import { exactly } from '../lang/schemas.ts'

const names = Type.Record(Type.String(), Type.String())

const change = Type.Union([
  Type.String(),
  exactly({
    is: Type.Optional(Type.String()),
    less: Type.Optional(Type.String()),
    as: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    beside: Type.Optional(names),
  }),
])

/** The differences between the versions, from `version-3.yaml`. */
const table = readYaml(
  new URL('version-3.yaml', import.meta.url),
  exactly({
    types: names,
    generic: Type.Array(Type.String()),
    fields: names,
    factors: Type.Record(Type.String(), Type.Number()),
    wrapped: names,
    implied: Type.Array(Type.String()),
    values: Type.Record(Type.String(), Type.Record(Type.String(), change)),
  }),
)

type Change = Exclude<Static<typeof change>, string>

const isGeneric = new Set(table.generic)
const isImplied = new Set(table.implied)

/**
 * Translates a value of a v2 type to one of v3, for its writer. What the table does not name has
 * the same name in v3. If v3 has no place for it, the writer notes that.
 */
export function toVersion3(value: Value, typeName: string, note: Note): Value {
  const { type: given } = value
  const named = typeof given === 'string' && version2.types.has(given) ? given : typeName
  const type = version2.types.get(named)
  const result: Record<string, unknown> = { 'xsi:type': toTypeName(named) }
  if (isGeneric.has(named)) result['genericSituationRecordName'] = named
  const lineage = [named, ...(type?.ancestors ?? [])]
  const isIn = (set: ReadonlySet<string>, name: string) =>
    lineage.some((each) => set.has(`${each}.${name}`))
  for (const [name] of type?.attributes ?? []) {
    if (!isIn(isImplied, name)) result[name] = value[name]
  }
  for (const member of type?.members ?? []) {
    const stated = value[member.name]
    if (stated === undefined || stated === null || isIn(isImplied, member.name)) continue
    const paths = lineage.map((each) => `${each}.${member.name}`)
    const path = paths.find((each) => Object.hasOwn(table.fields, each)) ?? ''
    const items = toItems(stated)
      .flatMap((item) => toItem(item, member.type, { into: result, note }))
      .map((item) => rescale(item, path))
    const [only] = items
    const name = table.fields[path] ?? member.name
    if (items.length > 0) result[name] = items.length > 1 ? items : only
  }
  return type?.name === 'Area' ? { ...result, ...toMultiPolygon(value) } : result
}

/** Converts a number to the unit that v3 uses. */
function rescale(item: unknown, path: string): unknown {
  const factor = table.factors[path]
  return factor === undefined || typeof item !== 'number' ? item : item * factor
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** Returns the type of v3, which has the same name unless the table states otherwise. */
function toTypeName(name: string): string | undefined {
  const prefixes = ['sit', 'com', 'loc']
  return table.types[name] ?? prefixes.map((prefix) => `${prefix}:${name}`).find(isType)
}

function isType(name: string): boolean {
  return version3.types.has(name)
}

type Around = {
  /** The element that contains the value. */
  readonly into: Record<string, unknown>
  readonly note: Note
}

function toItem(item: unknown, typeName: string, around: Around): readonly unknown[] {
  const wrapper = table.wrapped[typeName]
  if (version2.types.has(typeName) && isRecord(item)) {
    const translated = toVersion3(item, typeName, around.note)
    if (wrapper === undefined) return [translated]
    const { 'xsi:type': _named, ...reference } = translated
    return [{ [wrapper]: reference }]
  }
  if (typeName === 'CountryEnum') return toCountry(item)
  const change = typeof item === 'string' ? changeOf(typeName, item) : undefined
  if (change !== undefined) return applyChange(change, String(item), around)
  return [wrapper === undefined ? item : { [wrapper]: item }]
}

/** Converts a country code. v3 has codes of two letters, in capitals as in ISO 3166-1. */
function toCountry(value: unknown): readonly unknown[] {
  return typeof value === 'string' && value.length === 2 ? [value.toUpperCase()] : []
}

function changeOf(typeName: string, value: string): Change | undefined {
  const changes = table.values[typeName] ?? {}
  const found = Object.hasOwn(changes, value) ? changes[value] : undefined
  return typeof found === 'string' ? { is: found } : found
}

function applyChange(
  { is, less, as, beside }: Change,
  value: string,
  { into, note }: Around,
): readonly unknown[] {
  if (less !== undefined) note(`DATEX II v3 has no ${value}; ${less} is used instead.`)
  Object.assign(into, beside)
  return [is ?? less ?? as].filter((each) => each !== undefined)
}

/**
 * Converts the polygons of a v2 Area to v3: rings of a GML polygon, latitude before longitude,
 * which end where they start.
 */
function toMultiPolygon(area: Value): Value {
  const extended = fieldsIn(fieldsIn(area['areaExtension'])['areaExtended'])
  const rings = listIn(extended['polygonArea']).map((polygon) =>
    listIn(polygon['pointCoordinates']).flatMap((point) =>
      toPair(fieldsIn(point['pointCoordinates'])),
    ),
  )
  const gmlPolygon = rings
    .filter((ring) => ring.length >= 3)
    .map((ring) => ({ exterior: { posList: [...ring, ring[0]].join(' ') } }))
  return gmlPolygon.length === 0 ? {} : { gmlMultiPolygon: { gmlPolygon } }
}

function toPair({ latitude, longitude }: Value): readonly string[] {
  const pair = [[latitude, 90] as const, [longitude, 180] as const].map(([value, most]) =>
    typeof value === 'number' && Math.abs(value) <= most ? toPlain(value) : undefined,
  )
  return pair.includes(undefined) ? [] : [pair.join(' ')]
}

/**
 * Prints a number without an exponent, which the schema does not allow there. A tenth of a
 * nanometre is precise enough.
 */
function toPlain(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(15) : text
}

function fieldsIn(value: unknown): Value {
  return isRecord(value) ? value : {}
}

function listIn(value: unknown): readonly Value[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
