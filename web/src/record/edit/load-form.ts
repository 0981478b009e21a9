import { RequestFailure, loadMembers, loadRights, loadValues } from '../../api/index.ts'
import { readPresent } from '../../api/edit-record.ts'
import type { Present } from '../../api/edit-record.ts'
import { language, textIn } from '../../language/index.ts'
import { session } from '../../login/index.ts'
import { isPermitted } from '../../state/index.ts'
import { loadEntity, pathOfRecord } from '../load-record.ts'
import type { Entity } from '../read/relations.ts'
import type { FieldMember } from './to-fields.ts'

/** Everything that the form needs. */
export type LoadedForm = {
  readonly entity: Entity
  /** Path of the record, or of the list that a new record is added to. */
  readonly path: string
  readonly present: Present
  readonly members: readonly FieldMember[]
  /** Tags that occur in records of the entity. */
  readonly tags: readonly { readonly value: string; readonly label: string }[]
}

/**
 * Loads the form of a record.
 * @param id missing for a new record
 * @throws RequestFailure if the user is not logged in or lacks the permission
 */
export async function loadForm(
  type: string,
  id: string | undefined,
  signal: AbortSignal,
): Promise<LoadedForm> {
  if (!session.isIn) throw new RequestFailure({ kind: 'unauthorised' })
  const rights = await loadRights(signal)
  if (!isPermitted(rights, type, id === undefined ? 'Create' : 'Update'))
    throw new RequestFailure({ kind: 'forbidden' })
  const { entity } = await loadEntity(type, signal)
  const path = id === undefined ? entity.list : pathOfRecord(entity, id)
  const dataset = { service: 'content', type } as const
  const [present, { members }, tags] = await Promise.all([
    id === undefined ? { record: {}, etag: undefined } : readPresent(path, signal),
    loadMembers(dataset, signal),
    loadTags(dataset, signal),
  ])
  return { entity, path, present, members, tags }
}

/** Loads the tags. If that fails, tags are entered by their ids. */
async function loadTags(
  dataset: Parameters<typeof loadValues>[0],
  signal: AbortSignal,
): Promise<LoadedForm['tags']> {
  const { tags } = await loadValues(dataset, signal).catch(() => {
    signal.throwIfAborted()
    return { tags: [] }
  })
  return tags.map(({ id, title }) => {
    const name = textIn(title, language.current)
    return { value: id, label: name === undefined ? id : `${name} (${id})` }
  })
}
