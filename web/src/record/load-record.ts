import { RequestFailure, loadCatalogue, readJson } from '../api/index.ts'
import { toDirectory } from './read/directory.ts'
import type { Directory, Entity } from './read/directory.ts'
import { membersOf } from './read/json.ts'
import type { Members } from './read/json.ts'

/** A record, what it is, and where it was read. */
export type Loaded = {
  readonly id: string
  readonly entity: Entity
  readonly directory: Directory
  /** `/v1/Event/123` */
  readonly path: string
  readonly record: Members
}

/** @throws RequestFailure also for an entity that the hub does not have */
export async function loadRecord(
  { type, id }: { readonly type: string; readonly id: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const directory = toDirectory((await loadCatalogue(signal)).datasets)
  const entity = directory.entities.find((one) => one.type === type)
  if (entity === undefined) throw new RequestFailure({ kind: 'notFound' })
  const path = entity.record.replace('{id}', encodeURIComponent(id))
  const record = membersOf(await readJson<unknown>(path, {}, signal))
  return { id, entity, directory, path, record }
}
