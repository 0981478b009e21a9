import type { Verified, Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { fieldsOf, findUnstorable, parseObject, withoutFields } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { noSuchRecord } from '../reading.ts'
import { isVisible, lastModified, tableOf } from '../table.ts'
import { saveRecords } from '../write/store-records.ts'
import { checkOf } from '../write/to-stored.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import { applyPatch } from './apply-patch.ts'
import { assertConditions } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { withoutReturned } from './difference.ts'
import { assertSameId, isEdit, issuesAt } from './read-edits.ts'
import type { Edit, Item, SentRecord } from './read-edits.ts'

type Deps = {
  readonly database: Database
  readonly publicUrl: string
  readonly now: () => Date
}

/** Edits of a request, who makes them, and the conditions that must hold. */
type Writing = {
  readonly entity: Entity
  readonly edits: readonly Item[]
  readonly editor: Editor
  readonly visibility: Visibility
  readonly conditions: Conditions
  /** Whether the writes are kept, or only reported. */
  readonly mode: 'write' | 'try'
}

/** Effect of an edit: the record before and after it, if it existed. */
export type WrittenRecord = Pick<Outcome, 'edit' | 'warnings'> & {
  readonly before: SentRecord | undefined
  readonly after: SentRecord | undefined
}

type Written<Reported> = {
  readonly report: Reported
  /** Revision of a single record; undefined for a batch, and for a deleted record. */
  readonly revision: string | undefined
}

type Report<Reported> = (records: readonly WrittenRecord[]) => Promise<Reported>

/** Error that rolls back the transaction of a dry run when it is complete. */
const dryRunEnds = new Error('A dry run is rolled back.')

/**
 * Writes all edits or none, in one transaction, with their entries in the audit log. A dry run does
 * the same and is rolled back.
 * @param report runs before the commit, while locks are held; if it fails, nothing is written
 * @throws AppError HUB-RTE-008 if the record is not in the state that the editor has seen, and what
 *   `applyEdits` throws
 */
export async function writeEdits<Reported>(
  { database, ...deps }: Deps,
  writing: Writing,
  report: Report<Reported>,
): Promise<Written<Reported>> {
  const write = (tx: Transaction) => writeWithin(tx, { writing, ...deps }, report)
  if (writing.mode === 'write') return database.transaction(write)
  const tried: Written<Reported>[] = []
  await database
    .transaction(async (tx) => {
      tried.push(await write(tx))
      throw dryRunEnds
    })
    .catch((error: unknown) => {
      if (error !== dryRunEnds) throw error
    })
  const [written] = tried
  if (written === undefined) throw dryRunEnds
  // The revision was rolled back, so it can never be read again.
  return { ...written, revision: undefined }
}

async function writeWithin<Reported>(
  tx: Transaction,
  { writing, publicUrl, now }: Omit<Deps, 'database'> & { readonly writing: Writing },
  report: Report<Reported>,
): Promise<Written<Reported>> {
  const { entity, editor } = writing
  const { present, deletions } = await lockPresent(tx, writing)
  assertUnchanged(writing, present)
  const outcomes = applyEdits(entity, writing.edits, present)
  const edits = outcomes.map(({ edit }) => edit)
  const written = [...present.values()].map(({ received }) => received)
  const received = notBefore(now(), [...written, ...deletions])
  const after = await store(tx, outcomes, { entity, editor, received, publicUrl })
  await recordAudit(tx, { entity, edits, editor, at: now() })
  const records = outcomes.map(({ edit, warnings }) => ({
    ...{ edit, warnings },
    before: present.get(edit.id)?.data,
    after: after.get(edit.id)?.data,
  }))
  const [only, ...more] = edits
  const isOne = only !== undefined && more.length === 0
  const revision = isOne ? after.get(only.id)?.revision : undefined
  return { report: await report(records), revision }
}

/**
 * Locks the records of the edits, and returns when records to be created were deleted before.
 * Identifiers that the hub has just generated need neither.
 */
async function lockPresent(tx: Transaction, { entity, edits, visibility }: Writing) {
  const known = edits.filter(isEdit).filter((one) => one.operation !== 'Create' || !one.hasNewId)
  const created = idsOf(known.filter(({ operation }) => operation === 'Create'))
  if (created.length > 0) await lockIdentifiers(tx, entity, created)
  const present = await loadPresent(tx, entity, { ids: idsOf(known), visibility })
  return { present, deletions: created.length > 0 ? await loadDeletions(tx, entity, created) : [] }
}

const idsOf = (edits: readonly Edit[]) => edits.map(({ id }) => id)

function assertUnchanged(
  { entity, edits, conditions }: Writing,
  present: ReadonlyMap<string, Present>,
) {
  const [edit] = edits
  if (
    edit === undefined ||
    !isEdit(edit) ||
    Object.values(conditions).every((one) => one === undefined)
  )
    return
  const record = present.get(edit.id)
  assertConditions(conditions, { entity, edit }, record?.isVisible === true ? record : undefined)
}

/**
 * Returns a time after all stored ones: a message from the future may have written or deleted a
 * record (D53). Adds a millisecond, because the database stores microseconds and a `Date` has none.
 */
function notBefore(now: Date, stored: readonly Date[]): Date {
  return new Date(Math.max(now.getTime(), ...stored.map((time) => time.getTime() + 1)))
}

type Saving = {
  readonly entity: Entity
  readonly editor: Editor
  readonly received: Date
  readonly publicUrl: string
}

/** @returns the records that are now stored, by identifier */
async function store(tx: Transaction, outcomes: readonly Outcome[], saving: Saving) {
  const { editor, ...where } = saving
  const records = outcomes.flatMap(({ record }) =>
    record === undefined ? [] : [withEditor(record, editor)],
  )
  const deletions = outcomes.flatMap(({ edit, record }) => (record === undefined ? [edit.id] : []))
  const provider = editor.principal.client.toLowerCase()
  const saved = await saveRecords(tx, { ...where, records, deletions, provider })
  return new Map(saved.map(({ id, data, revision }) => [id, { data: parseObject(data), revision }]))
}

/** Adds who saved the record last (reference content.md 5.6). */
function withEditor(record: ContentRecord, { principal, referer }: Editor): ContentRecord {
  const kept = fieldsOf(record['_Meta'])
  const updateInfo = { UpdatedBy: principal.name, UpdateSource: referer ?? principal.client }
  return { ...record, _Meta: { ...kept, UpdateInfo: updateInfo } }
}

type Editor = {
  readonly principal: Verified
  /** Referer, by which the application of the principal names itself (interface 8). */
  readonly referer: string | undefined
  readonly requestId: string
}

type Entry = {
  readonly entity: Entity
  readonly edits: readonly Edit[]
  readonly editor: Editor
  readonly at: Date
}

/** Records who made the writes, in their transaction. The audit log is append-only. */
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

/** Record before a write. It is locked until the write is done. */
type Present = {
  readonly data: SentRecord
  /** Value that changes with every save. */
  readonly revision: string
  /** When the message that wrote the record was received. */
  readonly received: Date
  readonly lastChange: Date | undefined
  readonly isVisible: boolean
}

/** Makes writers that create the same record wait for each other: a missing row has no lock. */
async function lockIdentifiers(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<void> {
  const keys = ids.map((id) => `${entity.type} ${id}`).sort()
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`)
}

/** Returns when these records were last deleted; empty if none of them was. */
async function loadDeletions(
  tx: Transaction,
  entity: Entity,
  ids: readonly string[],
): Promise<readonly Date[]> {
  type Deletion = { readonly received: Date }
  const rows = await tx.query<Deletion>(sql`
    select received from content_tombstone where entity = ${entity.type} and id = any(${ids}::text[])`)
  return rows.map(({ received }) => received)
}

/** Loads and locks records in the order of their identifiers, so that writers cannot deadlock. */
async function loadPresent(
  tx: Transaction,
  entity: Entity,
  { ids, visibility }: { readonly ids: readonly string[]; readonly visibility: Visibility },
): Promise<ReadonlyMap<string, Present>> {
  type Found = {
    readonly id: string
    readonly data: string
    readonly revision: string
    readonly received: Date
    readonly last_change: string | null
    readonly is_visible: boolean
  }
  if (ids.length === 0) return new Map()
  const rows = await tx.query<Found>(sql`
    select id, data, xmin::text as revision, received, ${lastModified} as last_change,
      ${isVisible(entity, visibility)} as is_visible
    from ${tableOf(entity)} where id = any(${ids}::text[]) order by id for update`)
  return new Map(
    rows.map(({ id, data, revision, received, last_change, is_visible }) => [
      id,
      {
        data: parseObject(data),
        revision,
        received: new Date(received),
        lastChange: last_change === null ? undefined : new Date(last_change),
        isVisible: is_visible,
      },
    ]),
  )
}

/** Record to be stored under an identifier; undefined if it is to be deleted. */
type Outcome = {
  readonly edit: Edit
  readonly record: ContentRecord | undefined
  /** Fields that are stored as sent, although they are not of the usual type (decision D66). */
  readonly warnings: readonly Issue[]
}

/**
 * Applies each edit to the existing records.
 * @throws AppError HUB-RTE-003, HUB-BDY-001, HUB-BDY-004, HUB-BDY-005 for a single edit;
 *   HUB-BDY-006 for a batch, with every fault at the pointer of its item
 */
function applyEdits(
  entity: Entity,
  edits: readonly Item[],
  present: ReadonlyMap<string, Present>,
): readonly Outcome[] {
  const [only, ...more] = edits
  if (only !== undefined && more.length === 0) return [applyEdit(entity, only, present)]
  const faults: Issue[] = []
  const seen = new Set<string>()
  const outcomes = edits.flatMap((edit, index) => {
    const at = `/${String(index)}`
    if (isEdit(edit) && seen.has(edit.id)) {
      faults.push({ pointer: `${at}/Id`, detail: 'occurs twice in this batch' })
      return []
    }
    if (isEdit(edit)) seen.add(edit.id)
    try {
      return [applyEdit(entity, edit, present)]
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

function faultsOf(error: unknown, at: string): readonly Issue[] {
  if (!(error instanceof AppError)) throw error
  if (error.issues.length === 0) return [{ pointer: at, detail: error.message }]
  return issuesAt(at, error.issues)
}

function applyEdit(entity: Entity, edit: Item, known: ReadonlyMap<string, Present>): Outcome {
  if (!isEdit(edit)) throw edit.refusal
  const present = known.get(edit.id)
  if (edit.operation === 'Create') {
    if (present?.isVisible === true) throw existsAlready(entity, edit.id)
    if (present !== undefined) throw cannotBeUsed(entity, edit.id)
    return { edit, ...toRecord(entity, { ...edit.record, Id: edit.record['Id'] ?? edit.id }, {}) }
  }
  // A caller who may not see a record must not learn that it exists.
  if (present?.isVisible !== true) throw noSuchRecord(entity, edit.id)
  if (edit.operation === 'Delete') return { edit, record: undefined, warnings: [] }
  const sent = 'patch' in edit ? patched(edit.patch, present.data) : edit.record
  assertSameId(entity, sent, edit.id)
  const record = withoutReturned(sent, present.data)
  return { edit, ...toRecord(entity, { ...record, Id: present.data['Id'] }, present.data) }
}

/** @throws AppError HUB-BDY-005 with the operations that do not apply */
function patched(patch: Extract<Edit, { patch: unknown }>['patch'], data: SentRecord): SentRecord {
  const { record, faults } = applyPatch(data, patch)
  if (faults.length === 0) return record
  throw new AppError('HUB-BDY-005', 'The patch does not apply to the record as it is.', {
    issues: faults,
    hint: 'Read the record again, and create the patch for its present state.',
  })
}

/**
 * @param present the stored state, or an empty object if there is none
 * @throws AppError HUB-BDY-001 with pointers to fields of a wrong type that the hub computes with
 */
function toRecord(
  entity: Entity,
  record: SentRecord,
  present: SentRecord,
): Pick<Outcome, 'record' | 'warnings'> {
  const { refusals, warnings } = checkOf(entity)
  const unstorable = findUnstorable(record, '')
  const refused =
    unstorable === undefined
      ? refusals(record)
      : [{ pointer: unstorable.pointer, detail: unstorable.reason }]
  if (refused.length === 0 && hasId(record))
    return {
      record: { ...record, _Meta: metaOf(record, present) },
      warnings: warnings(record),
    }
  throw new AppError('HUB-BDY-001', `The record is not a valid ${entity.name}.`, {
    issues: refused,
  })
}

/**
 * Returns the stored `_Meta`; what was sent is ignored. Its source, on which the rights to closed
 * data depend (decision D60), changes only with the `Source` of the record, which is content. Of
 * the generated fields, `withoutReturned` leaves only those that the editor wrote.
 */
function metaOf({ Source }: SentRecord, present: SentRecord): SentRecord {
  const kept = withoutFields(fieldsOf(present['_Meta']), ['Generated'])
  const isOther = typeof Source === 'string' && Source !== '' && Source !== present['Source']
  return isOther ? { ...kept, Source } : kept
}

function hasId(record: SentRecord): record is ContentRecord {
  return typeof record['Id'] === 'string' || typeof record['Id'] === 'number'
}

function existsAlready({ name, path }: Entity, id: string): AppError {
  const said = `There is a ${name} with the id ${JSON.stringify(id)} already.`
  return new AppError('HUB-BDY-004', said, {
    hint: `Change it with PUT /v1/${path}/{id}, or omit Id to get a new one.`,
    issues: [{ pointer: '/Id', detail: 'exists already' }],
  })
}

/** Reports only that the identifier is not available, because the editor may not see its record. */
function cannotBeUsed({ name }: Entity, id: string): AppError {
  const said = `No ${name} can be created with the id ${JSON.stringify(id)}.`
  return new AppError('HUB-BDY-004', said, {
    hint: 'Choose another one, or omit Id to get one.',
    issues: [{ pointer: '/Id', detail: 'cannot be used' }],
  })
}
