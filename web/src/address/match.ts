import { createContext } from 'svelte'
import { viewPaths } from '../../../src/explorer/page-paths.ts'

/** Named segments of a path, decoded. */
export type PathParameters = Readonly<Record<string, string>>

/**
 * Matches a path against a pattern such as `/records/:entity/:id` and returns its named segments,
 * or undefined if it does not match.
 */
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

/** Builds the encoded path of a view: `pathOf('/records/:entity/:id', { entity, id })`. */
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

/**
 * Reports whether a path belongs to a view of the page. The hub responds to all other paths itself.
 */
export function isOfPage(path: string): boolean {
  return Object.keys(viewPaths).some((pattern) => matchPath(pattern, path) !== undefined)
}

const [get, set] = createContext<PathParameters>()

/** Provides a view and its components with the named segments of the path. Called by the shell. */
export function givePathParts(parts: PathParameters): void {
  set(parts)
}

/**
 * Returns the named segments of the path of this view: `pathParts().entity`. Call it during
 * component initialization.
 */
export function pathParts(): PathParameters {
  return get()
}

/**
 * Returns the element id of a hash such as `#a%20b`. A hash that cannot be decoded is returned
 * unchanged.
 */
export function fragmentOf(hash: string): string {
  const written = hash.replace(/^#/, '')
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
