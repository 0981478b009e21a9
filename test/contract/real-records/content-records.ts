import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check, Parse } from 'typebox/value'

export const contentRecord = Type.Intersect([
  Type.Record(Type.String(), Type.Unknown()),
  Type.Object({ Id: Type.Union([Type.String(), Type.Integer()]) }),
])

export type ContentRecord = Static<typeof contentRecord>

const envelope = Type.Object({ Items: Type.Array(contentRecord) })

/** Returns the records of a file, which contains a list response, an array, or one record. */
export function fromAnswer(read: unknown): readonly ContentRecord[] {
  const isEnvelope = typeof read === 'object' && read !== null && 'Items' in read
  if (isEnvelope) return Parse(envelope, read).Items
  return Parse(Type.Array(contentRecord), [read].flat())
}

/** Fields that the hub generates, so the sender's values need not be returned. */
const generated = ['_Meta', 'HasLanguage', 'LastChange', 'Self']

/** Fields of events that have been removed from the interface (9.1). */
const removed = [
  'Pdf',
  'Ranc',
  'PayMet',
  'Type',
  'GrpEvent',
  'LTSTags',
  'Hashtag',
  'EventPrices',
  'EventBenefit',
  'EventCrossSelling',
  'EventDescAdditional',
  'EventOperationScheduleOverview',
  'NextBeginDate',
]
const removedOfDates = ['GpsEast', 'GpsNorth', 'InscriptionTill', 'EventDateAdditionalTime']

/** Returns what the hub must return for a record. */
export function expectedOf(entity: string, record: ContentRecord): ContentRecord {
  if (entity === 'GeoShape') return { ...record, Geometry: inSystem(record) }
  if (entity !== 'Event') return { ...without(record, generated), Id: record.Id }
  const kept = { ...without(record, [...generated, ...removed]), Id: record.Id }
  const dates = record['EventDate']
  if (!Array.isArray(dates)) return kept
  return { ...kept, EventDate: dates.map((date: object) => without(date, removedOfDates)) }
}

const tagMembers = ['TagIds', 'Tags', 'SmgTags', 'HubTags']

/**
 * Returns what the hub must return in the strict profile, where tags are lower case (interface
 * 2.3).
 */
export function withLowerTags(entity: string, record: ContentRecord): ContentRecord {
  const names = entity === 'Tag' ? [...tagMembers, 'Id', 'HubTagIds'] : tagMembers
  const members = Object.entries(record).map(([name, value]) => [
    name,
    names.includes(name) ? lowered(value) : value,
  ])
  return Parse(contentRecord, Object.fromEntries(members))
}

function lowered(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(lowered)
  if (typeof value !== 'object' || value === null || !('Id' in value)) return value
  return { ...value, Id: lowered(value.Id) }
}

/**
 * Returns the geometry of a shape. In a reference system other than WGS 84 it names that system
 * (decision D26).
 */
function inSystem({ Geometry: geometry, Srid: system }: ContentRecord): unknown {
  const isShape = typeof geometry === 'object' && geometry !== null
  if (typeof system !== 'string' || system === 'EPSG:4326' || !isShape) return geometry
  const name = `urn:ogc:def:crs:EPSG::${system.replace('EPSG:', '')}`
  return { ...geometry, crs: { type: 'name', properties: { name } } }
}

/**
 * Lists the fields that were not returned as sent, as `Id: member`. Values that the hub derived
 * from other fields, and marks as generated, may replace a missing value or null.
 */
export function differences(expected: ContentRecord, read: ContentRecord | undefined) {
  const made = madeOf(read)
  const names = new Set([...Object.keys(expected), ...Object.keys(read ?? {})])
  const wrong = [...names].filter((name) => {
    if (generated.includes(name)) return false
    // An existing record keeps its first import.
    if (name === 'FirstImport' && !(name in expected)) return false
    // Decision D31 determines the letter case of an id.
    if (name === 'Id') return keyOf(expected) !== (read && keyOf(read))
    const paths = made.filter(([first]) => first === name).map(([, ...below]) => below)
    const left = withoutMade(read?.[name], paths, () => undefined)
    // The hub never generates what the sender states; null counts as not stated.
    return !isDeepStrictEqual(left, withoutMade(expected[name], paths, (value) => value ?? undefined))
  })
  return wrong.map((name) => `${String(expected.Id)}: ${name}`)
}

type Path = readonly string[]

const meta = Type.Object({ _Meta: Type.Object({ Generated: Type.Array(Type.String()) }) })

function madeOf(read: ContentRecord | undefined): readonly Path[] {
  return Check(meta, read) ? read._Meta.Generated.map((path) => path.split('.')) : []
}

/**
 * Returns a value without its parts at some paths, which may lead through arrays.
 * @param leave returns what remains of a value at such a path
 */
function withoutMade(
  value: unknown,
  paths: readonly Path[],
  leave: (value: unknown) => unknown,
): unknown {
  if (paths.length === 0) return value
  if (paths.some((path) => path.length === 0)) return leave(value)
  if (Array.isArray(value)) return value.map((item) => withoutMade(item, paths, leave))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...path]) => path)
    const left = withoutMade(member, below, leave)
    return left === undefined ? [] : [[name, left] as const]
  })
  return Object.fromEntries(kept)
}

/** Returns the key of a record: ids of most entities match in any letter case (decision D31). */
export function keyOf({ Id }: ContentRecord): string {
  return String(Id).toLowerCase()
}

function without(record: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}
