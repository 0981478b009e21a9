import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  checkOf,
  faultsOfRoom,
  loadStoredAccommodations,
  loadStoredRecords,
  loadStoredRooms,
  roomItem,
  roomKeyOf,
  siblingsOf,
  statedOf,
  storeAvailability,
  storeRecords,
  toStoredId,
} from '../../content/index.ts'
import type { ContentRecord, ContentWrite, Entity, RecordCheck } from '../../content/index.ts'
import { suggest } from '../../lang/index.ts'
import { exactly } from '../../lang/schemas.ts'
import type { Cover } from '../check-scope.ts'
import type { Saving } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { nothing, toFault } from './check-items.ts'
import type { ItemPlace } from './check-items.ts'
import { defineKind, envelope, items, sources } from './kind.ts'

const id = Type.String({ minLength: 1, maxLength: 256 })

const contentMessage = Compile(
  exactly({
    kind: Type.Literal('content'),
    entity: Type.String({ description: 'Type name, such as Accommodation' }),
    ...items,
    delete: Type.Optional(Type.Array(id)),
  }),
)

// The schema of the entity decides which of the two types an Id has.
const item = Compile(
  Type.Intersect([
    Type.Record(Type.String(), Type.Unknown()),
    Type.Object({ Id: Type.Union([id, Type.Integer()]) }),
  ]),
)

/**
 * Defines the format of records of one entity, as the content service returns them: upserts by Id,
 * and deletions.
 */
export const contentKind = (entities: readonly Entity[]) => {
  const known = new Map(entities.map((entity) => [entity.name, entity]))
  const checkOfName = (name: string) => toCheck(known.get(name))
  return defineKind({
    name: 'content',
    message: contentMessage,
    item,
    checkMessage: ({ entity }) => (known.has(entity) ? [] : [unknownEntity(entity, known.keys())]),
    checkItem: (record, { entity }) => checkOfName(entity).refusals(record).map(toFault),
    takesItem: (record, { entity }) => checkOfName(entity).takes(record),
    warnOf: (record, { entity }) => checkOfName(entity).warnings(record).map(toFault),
    footprint: ({ entity: name, delete: deletions = [] }, records) => {
      const entity = known.get(name)
      if (entity === undefined) return nothing
      return {
        writes: [...records.map(({ Id }) => String(Id)), ...deletions].map((written) =>
          toStoredId(entity, written),
        ),
        reads: records.flatMap((record) => siblingsOf(entity, record)),
      }
    },
    covers: ({ entity: name }, provider) => {
      const entity = known.get(name)
      return entity ? [coverOf(entity, provider)] : []
    },
    store: async (tx, { message: sent, deletions, items, places }, saving) => {
      const entity = known.get(sent.entity)
      if (entity === undefined) return { stored: 0, rejected: [] }
      const { taken, rejected } = sift(entity, items, deletions)
      const records = taken.map(({ record }) => record)
      const { received, provider } = saving
      const removed = deletions.map((id) => toStoredId(entity, id))
      const write = { entity, records, deletions: removed, received, provider }
      const from = taken.flatMap(({ index }) => places[index] ?? [])
      const origins = await originsOf(from, saving)
      return { stored: await storeRecords(tx, { ...write, ...origins }), rejected }
    },
  })
}

/**
 * Returns the check of an entity. Items of an unknown entity cannot be checked, so it accepts all.
 */
function toCheck(entity: Entity | undefined): RecordCheck {
  return entity === undefined
    ? { takes: () => true, refusals: () => [], warnings: () => [] }
    : checkOf(entity)
}

function coverOf(entity: Entity, provider: string): Cover<ContentRecord> {
  return {
    of: {
      ...{ kind: 'content', space: `content/${entity.type}`, names: sources, makesOwn: true },
      within: { entities: entity.name },
      load: (tx, ids) => loadStoredRecords(tx, entity, ids),
    },
    toTarget: (record) => {
      const { source = provider.toLowerCase(), isClosed } = statedOf(record)
      return { id: toStoredId(entity, String(record.Id)), origin: source, isOpen: !isClosed }
    },
    toDeleted: (written) => toStoredId(entity, written),
  }
}

function unknownEntity(written: string, names: Iterable<string>): Omit<Rejection, 'index'> {
  const all = [...names]
  const hint = suggest(written, all, `known: ${all.join(', ')}`)
  return { pointer: '/entity', reason: `is not an entity of this hub; ${hint}` }
}

async function originsOf(
  places: readonly ItemPlace[],
  { keptAs, mapping }: Saving,
): Promise<Pick<ContentWrite, 'origins'>> {
  if (keptAs === undefined || places.length === 0) return {}
  const message = await keptAs()
  const origins = places.map(({ line, index }) => ({
    message,
    line,
    item: mapping?.sources[index] ?? index,
    mapping,
  }))
  return { origins }
}

type Items = readonly { readonly Id: string | number }[]

type Placed<Record> = { readonly record: Record; readonly index: number }

/**
 * Rejects records whose Id is repeated later in the message, or that the message also deletes, so
 * that they are reported and not dropped silently.
 */
function sift<Records extends Items>(
  entity: Entity,
  items: Records,
  deletions: readonly string[],
): { readonly taken: readonly Placed<Records[number]>[]; readonly rejected: readonly Rejection[] } {
  const keys = items.map(({ Id }) => toStoredId(entity, String(Id)))
  const lastAt = new Map(keys.map((key, index) => [key, index]))
  const deleted = new Set(deletions.map((id) => toStoredId(entity, id)))
  const reasons = keys.map((key, index) => {
    if (deleted.has(key)) return 'is deleted by the same message, which is done last'
    return lastAt.get(key) === index ? undefined : repeated
  })
  return {
    taken: items.flatMap((record, index) =>
      reasons[index] === undefined ? [{ record, index }] : [],
    ),
    rejected: reasons.flatMap((reason, index) =>
      reason === undefined ? [] : [{ index, pointer: '/Id', reason }],
    ),
  }
}

const repeated = 'is repeated later in this message, and only the last one counts'

const availabilityMessage = Compile(exactly({ kind: Type.Literal('availability'), ...envelope }))

const unchanged = { origin: undefined, isOpen: false }

/** Rooms, rate plans and calendars, from which availability checks are answered (decision D39). */
export const availabilityKind = defineKind({
  name: 'availability',
  message: availabilityMessage,
  item: Compile(roomItem),
  checkItem: faultsOfRoom,
  footprint: (_message, items) => ({ writes: items.map(roomKeyOf), reads: [] }),
  covers: () => [
    {
      of: {
        ...{ kind: 'availability', within: {}, names: sources, makesOwn: false },
        ...{ space: 'content/accommodation', load: loadStoredAccommodations },
      },
      toTarget: (item) => ({ ...unchanged, id: item.accommodation.toUpperCase() }),
    },
    {
      of: {
        ...{ kind: 'availability', within: {}, names: sources, makesOwn: true },
        ...{ space: 'room', load: loadStoredRooms },
      },
      toTarget: ({ accommodation, room }) => ({
        ...unchanged,
        id: `${accommodation.toUpperCase()}/${room}`,
      }),
    },
  ],
  store: (tx, { items }, { received }) => storeAvailability(tx, { items, received }),
})
