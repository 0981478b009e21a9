import { askAsAnybody } from './ask.ts'
import type { paths } from './schema.d.ts'

/** What the page knows of the hub it is from. */
export type Explorer =
  paths['/explorer.json']['get']['responses'][200]['content']['application/json']

let known: Promise<Explorer> | undefined

/** Reads it once; after a failure the next call tries again. */
export function loadExplorer(): Promise<Explorer> {
  known ??= read().catch((thrown: unknown) => {
    known = undefined
    throw thrown
  })
  return known
}

type Answer = { readonly json: () => Promise<Explorer> }

// To renew a token one must know who gave it: this must not wait for one.
async function read(): Promise<Explorer> {
  const answer: Answer = await askAsAnybody(new Request('/explorer.json'))
  return answer.json()
}
