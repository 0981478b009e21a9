import { RequestFailure, readJson } from '../api/index.ts'
import type { Dataset } from '../api/index.ts'
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

type Named = Pick<Dataset, 'service' | 'type' | 'title' | 'access' | 'links'>

/** Where records are read and what datasets are called: a tenth of the catalogue. */
async function loadDatasets(signal: AbortSignal): Promise<readonly Named[]> {
  const query = { fields: 'service,type,title,access,links' }
  const { datasets } = await readJson<{ readonly datasets: readonly Named[] }>(
    '/catalogue',
    query,
    signal,
  )
  return datasets
}

/** @throws RequestFailure also for an entity that the hub does not have */
export async function loadRecord(
  { type, id }: { readonly type: string; readonly id: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const directory = toDirectory(await loadDatasets(signal))
  const entity = directory.entities.find((one) => one.type === type)
  if (entity === undefined) throw new RequestFailure({ kind: 'notFound' })
  const path = entity.record.replace('{id}', encodeURIComponent(id))
  const record = membersOf(await readJson<unknown>(path, {}, signal))
  return { id, entity, directory, path, record }
}
