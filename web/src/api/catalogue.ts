import { readJson } from './read-json.ts'
import type { paths } from './schema.d.ts'

/** Every dataset of the hub that the caller may know of. */
export type Catalogue = paths['/catalogue']['get']['responses'][200]['content']['application/json']

/** One dataset: what it is, how much of it there is, how fresh it is, and where it is read. */
export type Dataset = Catalogue['datasets'][number]

// Harvesters are given another form at the same address.
export const catalogueRequest = { path: '/catalogue' } as const

/** @throws RequestFailure */
export function loadCatalogue(signal?: AbortSignal): Promise<Catalogue> {
  return readJson<Catalogue>(catalogueRequest.path, {}, signal)
}
