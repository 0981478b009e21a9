import { inSlices } from '../../async/index.ts'
import type { Verified, Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { matchesRevision } from '../../http/index.ts'
import { fieldsOf, parseObject } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { noSuchRecord } from '../reading.ts'
import { saveRecords } from '../write/store-records.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import {
  applyEdits,
  loadDeletions,
  loadPresent,
  lockIdentifiers,
  toWriteResult,
} from './apply-edits.ts'
import type { Outcome, Present, WriteResult } from './apply-edits.ts'
import type { Edit, SentRecord } from './read-edits.ts'

type Deps = { readonly database: Database; readonly now: () => Date }

/** What a request wants written, by whom, and what must still hold for it. */
export type Writing = {
  readonly entity: Entity
  readonly edits: readonly Edit[]
  readonly editor: Editor
  readonly visibility: Visibility
  /** `If-Match`: the state of the one record that the editor has seen. */
  readonly ifMatch: string | undefined
}

export type Written = {
  readonly results: readonly WriteResult[]
  /** Of the one record that was written; undefined for a batch, and for what is gone. */
  readonly revision: string | undefined
}

/**
 * Writes all edits or none, in one transaction, with their place in the audit log.
 * @throws AppError HUB-RTE-008 when the record is another one than the editor has seen, and what
 *   `applyEdits` throws
 */
export async function writeEdits({ database, now }: Deps, writing: Writing): Promise<Written> {
  const { entity, edits, editor } = writing
  return database.transaction(async (tx) => {
    const { present, deletions } = await lockPresent(tx, writing)
    assertUnchanged(writing, present)
    const outcomes = applyEdits(entity, edits, present)
    const written = [...present.values()].map(({ received }) => received)
    const received = notBefore(now(), [...written, ...deletions])
    const after = await store(tx, outcomes, { entity, editor, received })
    await recordAudit(tx, { entity, edits, editor, at: now() })
    const results = await inSlices(resultsOf(entity, { outcomes, present, after }))
    const [only, ...more] = edits
    const isOne = only !== undefined && more.length === 0
    return { results, revision: isOne ? after.get(only.id)?.revision : undefined }
  })
}

type Results = {
  readonly outcomes: readonly Outcome[]
  readonly present: ReadonlyMap<string, Present>
  readonly after: ReadonlyMap<string, { readonly data: SentRecord }>
}

/** In steps of one comparison, so that other requests are answered between two of them. */
function* resultsOf(
  entity: Entity,
  { outcomes, present, after }: Results,
): Generator<undefined, readonly WriteResult[]> {
  const results: WriteResult[] = []
  for (const outcome of outcomes) {
    const { id } = outcome.edit
    const states = { before: present.get(id)?.data, after: after.get(id)?.data }
    results.push(toWriteResult(entity, outcome, states))
    yield
  }
  return results
}

/**
 * The records of the edits, locked, and when those that are created were deleted before. What the hub has
 * just named is neither.
 */
async function lockPresent(tx: Transaction, { entity, edits, visibility }: Writing) {
  const known = edits.filter((edit) => edit.operation !== 'Create' || !edit.hasNewId)
  const created = idsOf(known.filter(({ operation }) => operation === 'Create'))
  if (created.length > 0) await lockIdentifiers(tx, entity, created)
  const present = await loadPresent(tx, entity, { ids: idsOf(known), visibility })
  return { present, deletions: created.length > 0 ? await loadDeletions(tx, entity, created) : [] }
}

const idsOf = (edits: readonly Edit[]) => edits.map(({ id }) => id)

/** Optimistic locking (RFC 9110, section 13.1.1): a caller who read another state must read again. */
function assertUnchanged(
  { entity, edits, ifMatch }: Writing,
  present: ReadonlyMap<string, Present>,
) {
  const [edit] = edits
  if (ifMatch === undefined || edit === undefined) return
  const record = present.get(edit.id)
  if (record?.isVisible !== true) throw noSuchRecord(entity, edit.id)
  if (matchesRevision(ifMatch, [edit.id, record.revision])) return
  throw new AppError('HUB-RTE-008', `${entity.name} ${edit.id} has changed since it was read.`, {
    hint: 'Read it again, and send the new ETag as If-Match.',
  })
}

/**
 * A message from the future may have written or deleted a record; what is written now comes after it
 * (D53). The database keeps microseconds, of which a `Date` has none.
 */
function notBefore(now: Date, stored: readonly Date[]): Date {
  return new Date(Math.max(now.getTime(), ...stored.map((time) => time.getTime() + 1)))
}

type Saving = { readonly entity: Entity; readonly editor: Editor; readonly received: Date }

/** @returns what is stored now */
async function store(tx: Transaction, outcomes: readonly Outcome[], saving: Saving) {
  const { entity, editor, received } = saving
  const records = outcomes.flatMap(({ record }) =>
    record === undefined ? [] : [withEditor(record, editor)],
  )
  const deletions = outcomes.flatMap(({ edit, record }) => (record === undefined ? [edit.id] : []))
  const provider = editor.principal.client.toLowerCase()
  const saved = await saveRecords(tx, { entity, records, deletions, received, provider })
  return new Map(saved.map(({ id, data, revision }) => [id, { data: parseObject(data), revision }]))
}

/** The record says who saved it last (reference content.md 5.6). */
function withEditor(record: ContentRecord, { principal, referer }: Editor): ContentRecord {
  const kept = fieldsOf(record['_Meta'])
  const updateInfo = { UpdatedBy: principal.name, UpdateSource: referer ?? principal.client }
  return { ...record, _Meta: { ...kept, UpdateInfo: updateInfo } }
}

/** Who writes, by which request. */
type Editor = {
  readonly principal: Verified
  /** Of the application that the principal uses, as it names itself (interface 8). */
  readonly referer: string | undefined
  readonly requestId: string
}

type Entry = {
  readonly entity: Entity
  readonly edits: readonly Edit[]
  readonly editor: Editor
  readonly at: Date
}

/** Notes in the transaction of the writes who made them; the log can only grow. */
async function recordAudit(
  tx: Transaction,
  { entity, edits, editor: { principal, requestId }, at }: Entry,
): Promise<void> {
  await tx.execute(sql`
    insert into audit (time, subject, name, client, dataset, request, operation, id)
    select ${at.toISOString()}::timestamptz, ${principal.subject}, ${principal.name},
      ${principal.client}, ${entity.name}, ${requestId}::uuid, operation, id
    from unnest(
      ${edits.map(({ operation }) => operation)}::text[],
      ${edits.map(({ id }) => id)}::text[]) as edits (operation, id)`)
}
