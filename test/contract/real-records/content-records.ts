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

/** The records of a file: a list answer, an array, or one record. */
export function fromAnswer(read: unknown): readonly ContentRecord[] {
  const isEnvelope = typeof read === 'object' && read !== null && 'Items' in read
  if (isEnvelope) return Parse(envelope, read).Items
  return Parse(Type.Array(contentRecord), [read].flat())
}

/** Members that the hub generates: what a sender gives for them need not come back. */
const generated = ['_Meta', 'HasLanguage', 'LastChange', 'Self']

/** Members of events that the interface has removed (9.1). */
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

/** What has to come back of a record. */
export function expectedOf(entity: string, record: ContentRecord): ContentRecord {
  if (entity === 'GeoShape') return { ...record, Geometry: inSystem(record) }
  if (entity !== 'Event') return { ...without(record, generated), Id: record.Id }
  const kept = { ...without(record, [...generated, ...removed]), Id: record.Id }
  const dates = record['EventDate']
  if (!Array.isArray(dates)) return kept
  return { ...kept, EventDate: dates.map((date: object) => without(date, removedOfDates)) }
}

const tagMembers = ['TagIds', 'Tags', 'SmgTags', 'HubTags']

/** What comes back in the strict profile: tags are lower case there (interface 2.3). */
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

/** A shape that is shown in another system than WGS 84 says so itself (decision D26). */
function inSystem({ Geometry: geometry, Srid: system }: ContentRecord): unknown {
  const isShape = typeof geometry === 'object' && geometry !== null
  if (typeof system !== 'string' || system === 'EPSG:4326' || !isShape) return geometry
  const name = `urn:ogc:def:crs:EPSG::${system.replace('EPSG:', '')}`
  return { ...geometry, crs: { type: 'name', properties: { name } } }
}

/**
 * The members that did not come back as they were, as `Id: member`. What the hub has made of other
 * members, and says so, may stand where the sender gave nothing or null.
 */
export function differences(expected: ContentRecord, read: ContentRecord | undefined) {
  const made = madeOf(read)
  const names = new Set([...Object.keys(expected), ...Object.keys(read ?? {})])
  const wrong = [...names].filter((name) => {
    if (generated.includes(name)) return false
    // Of a record that is known already, the first import stays.
    if (name === 'FirstImport' && !(name in expected)) return false
    // Which letter case an identifier has, decision D31 says.
    if (name === 'Id') return keyOf(expected) !== (read && keyOf(read))
    const paths = made.filter(([first]) => first === name).map(([, ...below]) => below)
    const left = withoutMade(read?.[name], paths, () => undefined)
    // What a sender says is never made by the hub; null says nothing.
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
 * A value without what stands at some paths, through arrays.
 * @param leave what is left of a value at such a path
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

/** Identifiers of most entities are found in any letter case (decision D31). */
export function keyOf({ Id }: ContentRecord): string {
  return String(Id).toLowerCase()
}

function without(record: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}
