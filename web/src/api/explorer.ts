import { askAsAnybody } from './ask.ts'
import { once } from './once.ts'
import type { paths } from './schema.d.ts'

/** What the page knows of the hub it is from. */
export type Explorer =
  paths['/explorer.json']['get']['responses'][200]['content']['application/json']

type Answer = { readonly json: () => Promise<Explorer> }

/** Reads it once. To renew a token one must know who gave it: this must not wait for one. */
export const loadExplorer = once(async (): Promise<Explorer> => {
  const answer: Answer = await askAsAnybody(new Request('/explorer.json'))
  return answer.json()
})
