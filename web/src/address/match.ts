import { createContext } from 'svelte'
import { viewPaths } from '../../../src/explorer/page-paths.ts'

/** The named parts of a path, decoded. */
export type PathParameters = Readonly<Record<string, string>>

/** The parts of a path that a pattern such as `/records/:entity/:id` names, or undefined. */
export function matchPath(pattern: string, path: string): PathParameters | undefined {
  const wanted = pattern.split('/')
  const given = path === '/' ? ['', ''] : path.replace(/\/$/, '').split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const found = given[index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== found) return undefined
    } else {
      const value = decode(found)
      if (value === undefined || value === '') return undefined
      parameters[part.slice(1)] = value
    }
  }
  return parameters
}

/** The path of a view: `pathOf('/records/:entity/:id', { entity, id })`, encoded. */
export function pathOf(pattern: string, parameters: PathParameters): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Whether a path leads to a view of the page; the hub answers all others itself. */
export function isOfPage(path: string): boolean {
  return Object.keys(viewPaths).some((pattern) => matchPath(pattern, path) !== undefined)
}

const [get, set] = createContext<PathParameters>()

/** Tells a view, and all that is in it, the named parts of its path. The shell does. */
export function givePathParts(parts: PathParameters): void {
  set(parts)
}

/** The named parts of the path that led to this view: `pathParts().entity`. Call it as a view begins. */
export function pathParts(): PathParameters {
  return get()
}

/** The id that a hash such as `#a%20b` names; what cannot be decoded is taken as it is written. */
export function fragmentOf(hash: string): string {
  const written = hash.replace(/^#/, '')
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
