import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'

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
  if (entity !== 'Event') return { ...without(record, generated), Id: record.Id }
  const kept = { ...without(record, [...generated, ...removed]), Id: record.Id }
  const dates = record['EventDate']
  if (!Array.isArray(dates)) return kept
  return { ...kept, EventDate: dates.map((date: object) => without(date, removedOfDates)) }
}

/** The members that did not come back as they were, as `Id: member`. */
export function differences(expected: ContentRecord, read: ContentRecord | undefined) {
  const names = new Set([...Object.keys(expected), ...Object.keys(read ?? {})])
  const wrong = [...names].filter((name) => {
    if (generated.includes(name)) return false
    // Of a record that is known already, the first import stays.
    if (name === 'FirstImport' && !(name in expected)) return false
    // Which letter case an identifier has, decision D31 says.
    if (name === 'Id') return keyOf(expected) !== (read && keyOf(read))
    return !isDeepStrictEqual(read?.[name], expected[name])
  })
  return wrong.map((name) => `${String(expected.Id)}: ${name}`)
}

/** Identifiers of most entities are found in any letter case (decision D31). */
export function keyOf({ Id }: ContentRecord): string {
  return String(Id).toLowerCase()
}

function without(record: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}
