import { isDeepStrictEqual } from 'node:util'
import { Pointer, applyPatch as applyOperations } from 'rfc6902'
import type { Operation } from 'rfc6902'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { parseObject } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import { findUnstorable } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { isVisible, tableOf } from '../table.ts'
import { noSuchRecord } from '../reading.ts'
import { checkOf } from '../write/to-stored.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import { differenceOf, withoutReturned } from './difference.ts'
import type { Edit, SentRecord } from './read-edits.ts'

/** A record as it is before a write, and from then on locked until the write is done. */
export type Present = {
  readonly data: SentRecord
  /** Changes with every save. */
  readonly revision: string
  /** When the message was received that wrote it. */
  readonly received: Date
  /** Whether the writer may see it. */
  readonly isVisible: boolean
}

/** Has writers who create the same record wait for each other: what is not there has no lock. */
export async function lockIdentifiers(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<void> {
  const keys = ids.map((id) => `${entity.type} ${id}`).sort()
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`)
}

/** When these records were last deleted; empty where none of them was. */
export async function loadDeletions(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<readonly Date[]> {
  type Deletion = { readonly received: Date }
  const rows = await tx.query<Deletion>(sql`
    select received from content_tombstone where entity = ${entity.type} and id = any(${ids}::text[])`)
  return rows.map(({ received }) => received)
}

/** Locks the records in the order of their identifiers, so that writers never lock each other out. */
export async function loadPresent(
  tx: Transaction,
  entity: Entity,
  { ids, visibility }: { readonly ids: readonly string[]; readonly visibility: Visibility },
): Promise<ReadonlyMap<string, Present>> {
  type Found = {
    readonly id: string
    readonly data: string
    readonly revision: string
    readonly received: Date
    readonly is_visible: boolean
  }
  if (ids.length === 0) return new Map()
  const rows = await tx.query<Found>(sql`
    select id, data, xmin::text as revision, received, ${isVisible(entity, visibility)} as is_visible
    from ${tableOf(entity)} where id = any(${ids}::text[]) order by id for update`)
  return new Map(
    rows.map(({ id, data, revision, received, is_visible }) => [
      id,
      { data: parseObject(data), revision, received: new Date(received), isVisible: is_visible },
    ]),
  )
}

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The answer to a write of one record (interface 2.4, decision D32). */
export const writeResult = Type.Object(
  {
    id: Type.String(),
    operation: Type.Enum(['Create', 'Update', 'Delete']),
    created: count('1 if the record is new'),
    updated: count('1 if the record existed'),
    deleted: count('1 if the record was deleted'),
    error: count('Always 0: failures are returned as problem details'),
    errorreason: Type.Null(),
    compareobject: Type.Boolean({ description: 'Whether the old state was compared' }),
    objectchanged: count('1 if the content changed'),
    objectimagechanged: count('1 if the images changed'),
    changes: Type.Unsafe({
      type: ['array', 'null'],
      items: { type: 'object' },
      description: 'What changed, as a JSON patch (RFC 6902)',
    }),
    pushchannels: Type.Array(Type.String(), { description: 'Always empty: nothing is sent out' }),
    pushed: Type.Record(Type.String(), Type.Unknown()),
    warnings: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.Optional(Type.String()), detail: Type.String() }), {
        description: 'Fields that were stored as sent, although they are not of the usual type',
      }),
    ),
  },
  { $id: 'PGCRUDResult', additionalProperties: true },
)

/** With the type of the record in a field whose name carries the deployment's prefix. */
export type WriteResult = Static<typeof writeResult>

type Members = Readonly<Record<string, unknown>>

type States = { readonly before: Members | undefined; readonly after: Members | undefined }

/** Reports what a write did. */
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

/** Characters of JSON that the copies of one patch may have: copies of copies double their size. */
const mostCopied = 1_000_000

/** What a patch (RFC 6902) makes of a record, and the operations that do not apply to it. */
export function applyPatch(
  data: SentRecord,
  patch: readonly Operation[],
): { readonly record: SentRecord; readonly faults: readonly Issue[] } {
  const record: SentRecord = structuredClone(data)
  let copied = 0
  const faults = patch.flatMap((operation, index) => {
    if (operation.op === 'copy') copied += sizeOf(record, operation.from)
    const detail =
      copied > mostCopied
        ? `the patch copies more than ${String(mostCopied)} characters`
        : faultOf(record, operation)
    return detail === undefined ? [] : [{ pointer: `/${String(index)}`, detail }]
  })
  return { record, faults }
}

function sizeOf(record: SentRecord, pointer: string): number {
  const text: unknown = JSON.stringify(Pointer.fromJSON(pointer).get(record))
  return typeof text === 'string' ? text.length : 0
}

function faultOf(record: SentRecord, operation: Operation): string | undefined {
  if (operation.op !== 'test') {
    const [fault] = applyOperations(record, structuredClone([operation]))
    return fault?.message
  }
  // The library compares nested lists in a time that multiplies with every level.
  const found: unknown = Pointer.fromJSON(operation.path).get(record)
  if (isDeepStrictEqual(found, operation.value)) return undefined
  return 'the value differs from the one in the test'
}

/** What is to be stored under an identifier; undefined when it is to be gone. */
export type Outcome = {
  readonly edit: Edit
  readonly record: ContentRecord | undefined
  /** What is stored as it came, though it is of another type than usual (decision D66). */
  readonly warnings: readonly Issue[]
}

/**
 * Applies each edit to the existing records.
 * @throws AppError HUB-RTE-003, HUB-BDY-001, HUB-BDY-004, HUB-BDY-005 for a single edit; HUB-BDY-006
 *   for a batch, with every fault at the pointer of its item
 */
export function applyEdits(
  entity: Entity,
  edits: readonly Edit[],
  present: ReadonlyMap<string, Present>,
): readonly Outcome[] {
  const [only, ...more] = edits
  if (only !== undefined && more.length === 0)
    return [applyEdit(entity, only, present.get(only.id))]
  const faults: Issue[] = []
  const seen = new Set<string>()
  const outcomes = edits.flatMap((edit, index) => {
    const at = `/${String(index)}`
    if (seen.has(edit.id)) {
      faults.push({ pointer: `${at}/Id`, detail: 'occurs twice in this batch' })
      return []
    }
    seen.add(edit.id)
    try {
      return [applyEdit(entity, edit, present.get(edit.id))]
    } catch (error) {
      faults.push(...faultsOf(error, at))
      return []
    }
  })
  if (faults.length === 0) return outcomes
  const wrong = String(edits.length - outcomes.length)
  throw new AppError(
    'HUB-BDY-006',
    `${wrong} of ${String(edits.length)} items are not valid. Nothing was written.`,
    { issues: faults },
  )
}

/** What is wrong with one item of a batch. */
function faultsOf(error: unknown, at: string): readonly Issue[] {
  if (!(error instanceof AppError)) throw error
  if (error.issues.length === 0) return [{ pointer: at, detail: error.message }]
  return error.issues.map(({ pointer = '', ...issue }) => ({
    pointer: `${at}${pointer}`,
    ...issue,
  }))
}

function applyEdit(entity: Entity, edit: Edit, present: Present | undefined): Outcome {
  if (edit.operation === 'Create') {
    if (present?.isVisible === true) throw existsAlready(entity, edit.id)
    if (present !== undefined) throw cannotBeUsed(entity, edit.id)
    return { edit, ...toRecord(entity, { ...edit.record, Id: edit.record['Id'] ?? edit.id }) }
  }
  // Whoever may not see a record does not learn that it is there.
  if (present?.isVisible !== true) throw noSuchRecord(entity, edit.id)
  if (edit.operation === 'Delete') return { edit, record: undefined, warnings: [] }
  const sent = 'patch' in edit ? patched(edit.patch, present.data) : edit.record
  const record = withoutReturned(sent, present.data)
  return { edit, ...toRecord(entity, { ...record, Id: present.data['Id'] }) }
}

/** @throws AppError HUB-BDY-005 with the operation that does not apply */
function patched(patch: Extract<Edit, { patch: unknown }>['patch'], data: SentRecord): SentRecord {
  const { record, faults } = applyPatch(data, patch)
  if (faults.length === 0) return record
  throw new AppError('HUB-BDY-005', 'The patch does not apply to the record as it is.', {
    issues: faults,
    hint: 'Read the record again, and create the patch for its present state.',
  })
}

/** @throws AppError HUB-BDY-001 for fields of a wrong type that the hub computes with, with their pointers */
function toRecord(entity: Entity, record: SentRecord): Pick<Outcome, 'record' | 'warnings'> {
  const { refusals, warnings } = checkOf(entity)
  const unstorable = findUnstorable(record, '')
  const refused =
    unstorable === undefined
      ? refusals(record)
      : [{ pointer: unstorable.pointer, detail: unstorable.reason }]
  if (refused.length === 0 && hasId(record)) return { record, warnings: warnings(record) }
  throw new AppError('HUB-BDY-001', `The record is not a valid ${entity.name}.`, {
    issues: refused,
  })
}

function hasId(record: SentRecord): record is ContentRecord {
  return typeof record['Id'] === 'string' || typeof record['Id'] === 'number'
}

function existsAlready({ name, path }: Entity, id: string): AppError {
  const said = `There is a ${name} with the id ${JSON.stringify(id)} already.`
  return new AppError('HUB-BDY-004', said, {
    hint: `Change it with PUT /v1/${path}/{id}, or leave Id out to be given a new one.`,
    issues: [{ pointer: '/Id', detail: 'exists already' }],
  })
}

/** For a record that the editor cannot see, only reports that its identifier is not available. */
function cannotBeUsed({ name }: Entity, id: string): AppError {
  const said = `No ${name} can be created with the id ${JSON.stringify(id)}.`
  return new AppError('HUB-BDY-004', said, {
    hint: 'Choose another one, or leave Id out to be given one.',
    issues: [{ pointer: '/Id', detail: 'cannot be used' }],
  })
}
