import { readJson } from './read-json.ts'
import type { paths } from './schema.d.ts'

/** Every dataset of the hub that the caller may know of. */
export type Catalogue = paths['/catalogue']['get']['responses'][200]['content']['application/json']

/** One dataset: what it is, how much of it there is, how fresh it is, and where it is read. */
export type Dataset = Catalogue['datasets'][number]

/** What was asked for ahead is shown at once or not at all. */
const longestAhead = 5000

type Expected = { readonly catalogue: Promise<Catalogue>; readonly since: number }

let expected: Expected | undefined

/** Asks for the catalogue before the view that shows it is there. */
export function expectCatalogue(): void {
  const catalogue = read()
  // Whoever takes it hears of a failure.
  catalogue.catch(() => undefined)
  expected = { catalogue, since: performance.now() }
}

/** Forgets what was asked for ahead: somebody else sees other datasets. */
export function forgetCatalogue(): void {
  expected = undefined
}

/** @throws RequestFailure */
export function loadCatalogue(signal?: AbortSignal): Promise<Catalogue> {
  const taken = expected
  expected = undefined
  const isFresh = taken !== undefined && performance.now() - taken.since < longestAhead
  return isFresh ? taken.catalogue : read(signal)
}

// Harvesters are given another form at the same address.
function read(signal?: AbortSignal): Promise<Catalogue> {
  return readJson<Catalogue>('/catalogue', {}, signal)
}
