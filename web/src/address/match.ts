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
