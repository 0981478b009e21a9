import { AppError } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { findUnstorable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import { applyPatch } from './apply-patch.ts'
import type { Edit, SentRecord } from './edits.ts'
import { checkOf } from '../write/check-record.ts'
import { noSuchRecord } from '../no-such-record.ts'
import { withoutReturned } from './generated-members.ts'
import type { Present } from './load-present.ts'

/** What is to be stored under an identifier; undefined when it is to be gone. */
export type Outcome = {
  readonly edit: Edit
  readonly record: ContentRecord | undefined
  /** What is stored as it came, though it is of another type than usual (decision D66). */
  readonly warnings: readonly Issue[]
}

/**
 * What each edit makes of the records that are there.
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
      faults.push({ pointer: `${at}/Id`, detail: 'comes twice in this batch' })
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
    `${wrong} of ${String(edits.length)} items cannot be taken. Nothing was written.`,
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
    hint: 'Read the record again, and make the patch for what it is now.',
  })
}

/** @throws AppError HUB-BDY-001 for members of a wrong type that the hub computes with, with their pointers */
function toRecord(entity: Entity, record: SentRecord): Pick<Outcome, 'record' | 'warnings'> {
  const { refusals, warnings } = checkOf(entity)
  const unstorable = findUnstorable(record, '')
  const refused =
    unstorable === undefined
      ? refusals(record)
      : [{ pointer: unstorable.pointer, detail: unstorable.reason }]
  if (refused.length === 0 && hasId(record)) return { record, warnings: warnings(record) }
  throw new AppError('HUB-BDY-001', `The record is no ${entity.name}.`, { issues: refused })
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

/** Of a record that the editor may not see it is only said that its identifier is not to be had. */
function cannotBeUsed({ name }: Entity, id: string): AppError {
  const said = `No ${name} can be created with the id ${JSON.stringify(id)}.`
  return new AppError('HUB-BDY-004', said, {
    hint: 'Choose another one, or leave Id out to be given one.',
    issues: [{ pointer: '/Id', detail: 'cannot be used' }],
  })
}
