import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Entity } from '../entity.ts'
import { differenceOf } from './difference.ts'
import type { Outcome } from './apply-edits.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The answer to a write of one record (interface 2.4, decision D32). */
export const writeResult = Type.Object(
  {
    id: Type.String(),
    operation: Type.Enum(['Create', 'Update', 'Delete']),
    created: count('1 when the record is new'),
    updated: count('1 when it was there before'),
    deleted: count('1 when it is gone'),
    error: count('Always 0: what fails is answered as a problem'),
    errorreason: Type.Null(),
    compareobject: Type.Boolean({ description: 'Whether the old state was compared' }),
    objectchanged: count('1 when the content is another one now'),
    objectimagechanged: count('1 when the images are other ones now'),
    changes: Type.Unsafe({
      type: ['array', 'null'],
      items: { type: 'object' },
      description: 'What changed, as a JSON patch (RFC 6902)',
    }),
    pushchannels: Type.Array(Type.String(), { description: 'Always empty: nothing is sent out' }),
    pushed: Type.Record(Type.String(), Type.Unknown()),
    warnings: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.Optional(Type.String()), detail: Type.String() }), {
        description:
          'Members that were stored as they came, though they are of another type than usual',
      }),
    ),
  },
  { $id: 'PGCRUDResult', additionalProperties: true },
)

/** With the type of the record in a member whose name carries the deployment's prefix. */
export type WriteResult = Static<typeof writeResult>

type Members = Readonly<Record<string, unknown>>

type States = { readonly before: Members | undefined; readonly after: Members | undefined }

/** Says what a write did. */
export function toWriteResult(
  entity: Entity,
  { edit: { id, operation }, warnings }: Pick<Outcome, 'edit' | 'warnings'>,
  { before, after }: States,
): WriteResult {
  const changes = before === undefined || after === undefined ? null : differenceOf(before, after)
  const isOther = changes === null || changes.length > 0
  const isOtherImage = changes?.some(({ path }) => path.startsWith('/ImageGallery')) ?? false
  return {
    id,
    [entity.naming.objectType]: entity.type,
    operation,
    created: Number(operation === 'Create'),
    updated: Number(operation === 'Update'),
    deleted: Number(operation === 'Delete'),
    ...{ error: 0, errorreason: null },
    compareobject: changes !== null,
    objectchanged: Number(isOther),
    objectimagechanged: Number(isOtherImage),
    changes: changes === null ? null : [...changes],
    ...{ pushchannels: [], pushed: {} },
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}
