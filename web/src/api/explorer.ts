import createClient from 'openapi-fetch'
import { askAsAnybody } from './ask.ts'
import type { paths } from './schema.d.ts'

/** What the page knows of the hub it is from. */
export type Explorer =
  paths['/explorer.json']['get']['responses'][200]['content']['application/json']

// To renew a token one must know who gave it: this must not wait for one.
const open = createClient<paths>({ baseUrl: location.origin, fetch: askAsAnybody })

let known: Promise<Explorer> | undefined

/** Reads it once; after a failure the next call tries again. */
export function loadExplorer(): Promise<Explorer> {
  known ??= read().catch((thrown: unknown) => {
    known = undefined
    throw thrown
  })
  return known
}

async function read(): Promise<Explorer> {
  const { data } = await open.GET('/explorer.json')
  if (data === undefined) throw new Error('The hub says nothing of itself')
  return data
}
