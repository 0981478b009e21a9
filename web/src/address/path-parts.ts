import { createContext } from 'svelte'
import type { PathParameters } from './match.ts'

const [get, set] = createContext<PathParameters>()

/** Tells a view, and all that is in it, the named parts of its path. The shell does. */
export function givePathParts(parts: PathParameters): void {
  set(parts)
}

/** The named parts of the path that led to this view: `pathParts().entity`. Call it as a view begins. */
export function pathParts(): PathParameters {
  return get()
}
