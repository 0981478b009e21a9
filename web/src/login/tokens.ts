/** What a login gave. It lives as long as the tab, in its memory and session storage. */
export type Tokens = {
  readonly access: string
  readonly refresh: string | undefined
  /** Proves at logout whose session is to end. */
  readonly id: string | undefined
  /** Milliseconds since 1970. */
  readonly expires: number
}

const kept = 'hub.tokens'

export function keepTokens(tokens: Tokens | undefined): void {
  try {
    if (tokens === undefined) sessionStorage.removeItem(kept)
    else sessionStorage.setItem(kept, JSON.stringify(tokens))
  } catch {
    // Without storage a login lasts until the page is loaded anew.
  }
}

export function findTokens(): Tokens | undefined {
  try {
    return toTokens(JSON.parse(sessionStorage.getItem(kept) ?? 'null'))
  } catch {
    return undefined
  }
}

function toTokens(found: unknown): Tokens | undefined {
  if (typeof found !== 'object' || found === null) return undefined
  if (!('access' in found) || typeof found.access !== 'string') return undefined
  if (!('expires' in found) || typeof found.expires !== 'number') return undefined
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    access: found.access,
    expires: found.expires,
    refresh: 'refresh' in found ? textOf(found.refresh) : undefined,
    id: 'id' in found ? textOf(found.id) : undefined,
  }
}
