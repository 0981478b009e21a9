import { hub } from './client.ts'
import type { paths } from './schema.d.ts'

/** Every dataset of the hub that the caller may know of. */
export type Catalogue = paths['/catalogue']['get']['responses'][200]['content']['application/json']

/** One dataset: what it is, how much of it there is, how fresh it is, and where it is read. */
export type Dataset = Catalogue['datasets'][number]

let expected: Promise<Catalogue> | undefined

/** Asks for the catalogue before the view that shows it is there. */
export function expectCatalogue(): void {
  expected = read()
  // Whoever takes it hears of a failure.
  expected.catch(() => undefined)
}

/** @throws RequestFailure */
export function loadCatalogue(signal?: AbortSignal): Promise<Catalogue> {
  const taken = expected
  expected = undefined
  return taken ?? read(signal)
}

async function read(signal?: AbortSignal): Promise<Catalogue> {
  const { data } = await hub.GET('/catalogue', signal === undefined ? {} : { signal })
  if (data === undefined) throw new Error('The hub has no catalogue')
  return data
}
