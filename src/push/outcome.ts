import type { Stored } from './pipeline.ts'

/** A message of which nothing could be taken is rejected; one that brings nothing is simply done. */
export function stateOf({ stored, rejected }: Stored): 'visible' | 'rejected' {
  return stored === 0 && rejected.length > 0 ? 'rejected' : 'visible'
}
