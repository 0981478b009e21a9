import { RequestFailure, loadMembers, loadRights, loadValues } from '../../api/index.ts'
import { readPresent } from '../../api/edit-record.ts'
import type { Present } from '../../api/edit-record.ts'
import { language, textIn } from '../../language/index.ts'
import { session } from '../../login/index.ts'
import { isPermitted } from '../../state/index.ts'
import { loadEntity, pathOfRecord } from '../load-record.ts'
import type { Entity } from '../read/relations.ts'
import type { FieldMember } from './to-fields.ts'

/** What a form is made of. */
export type LoadedForm = {
  readonly entity: Entity
  /** Of the record, or of the list that it is added to. */
  readonly path: string
  readonly present: Present
  readonly members: readonly FieldMember[]
  /** The tags that records of the entity have. */
  readonly tags: readonly { readonly value: string; readonly label: string }[]
}

/**
 * @param id absent for a record that is to be created
 * @throws RequestFailure where nobody is logged in, or somebody who may not do it
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

/** Without them tags are written by their identifiers. */
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
