import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { storeRecords, toEntityId } from '../../content/index.ts'
import type { ContentWrite, Entity } from '../../content/index.ts'
import { schemaIssues } from '../../errors/index.ts'
import { nearest } from '../../lang/index.ts'
import type { Saving } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { defineKind } from './kind.ts'
import { items } from './members.ts'

const id = Type.String({ minLength: 1, maxLength: 256 })

const message = Compile(
  Type.Object(
    {
      kind: Type.Literal('content'),
      entity: Type.String({ description: 'Type name, such as Accommodation' }),
      ...items,
      delete: Type.Optional(Type.Array(id)),
    },
    { additionalProperties: false },
  ),
)

// Which of the two an Id may be, says the schema of the entity.
const item = Compile(
  Type.Intersect([
    Type.Record(Type.String(), Type.Unknown()),
    Type.Object({ Id: Type.Union([id, Type.Integer()]) }),
  ]),
)

/** Records of one entity, as the content service returns them: upsert by Id, and deletions. */
export const contentKind = (entities: readonly Entity[]) => {
  const known = new Map(entities.map((entity) => [entity.name, entity]))
  const guards = new Map(entities.map(({ name, schema }) => [name, Compile(schema)]))
  return defineKind({
    name: 'content',
    message,
    item,
    checkMessage: ({ entity }) => (known.has(entity) ? [] : [unknownEntity(entity, known.keys())]),
    checkItem: (record, { entity }) =>
      schemaIssues(guards.get(entity)?.Errors(record) ?? []).map(
        ({ pointer, detail, expected }) => ({
          pointer,
          reason: expected === undefined ? detail : `${detail}; allowed: ${expected.join(', ')}`,
        }),
      ),
    store: async (tx, { message: sent, items, positions }, { received, provider, place }) => {
      const entity = known.get(sent.entity)
      if (entity === undefined) return { stored: 0, rejected: [] }
      const deletions = sent.delete ?? []
      const { taken, rejected } = sift(entity, items, deletions)
      const records = taken.map(({ record }) => record)
      const write = { entity, records, deletions, received, provider }
      const origins = await originsOf(
        taken.map(({ index }) => positions[index] ?? index),
        place,
      )
      return { stored: await storeRecords(tx, { ...write, ...origins }), rejected }
    },
  })
}

function unknownEntity(written: string, names: Iterable<string>): Omit<Rejection, 'index'> {
  const all = [...names]
  const meant = nearest(written, all)
  const hint = meant === undefined ? `known: ${all.join(', ')}` : `did you mean ${meant}?`
  return { pointer: '/entity', reason: `is no entity of this hub; ${hint}` }
}

/** Where the records of a kept message come from. */
async function originsOf(
  positions: readonly number[],
  place: Saving['place'],
): Promise<Pick<ContentWrite, 'origins'>> {
  if (place === undefined || positions.length === 0) return {}
  const where = await place()
  return { origins: positions.map((item) => ({ ...where, item })) }
}

type Items = readonly { readonly Id: string | number }[]

type Placed<Record> = { readonly record: Record; readonly index: number }

/**
 * Of several records with one Id the last one counts, and none that the message deletes as well. The
 * others are named, not dropped silently.
 */
function sift<Records extends Items>(
  entity: Entity,
  items: Records,
  deletions: readonly string[],
): { readonly taken: readonly Placed<Records[number]>[]; readonly rejected: readonly Rejection[] } {
  const keys = items.map(({ Id }) => toEntityId(entity, String(Id)))
  const lastAt = new Map(keys.map((key, index) => [key, index]))
  const deleted = new Set(deletions.map((id) => toEntityId(entity, id)))
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

const repeated = 'comes again later in this message, and only the last one counts'
