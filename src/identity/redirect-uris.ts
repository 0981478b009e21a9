/** Names of this very machine (RFC 8252, section 7.3). */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Schemes that a browser runs or reads itself. */
const NEVER = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']

type ApplicationType = 'native' | 'web'

/** `native`: an app that gets its answer on this machine, at any port or a scheme of its own. */
export function applicationType(uris: readonly string[]): ApplicationType {
  return uris.length > 0 && uris.every((uri) => typeOf(uri) === 'native') ? 'native' : 'web'
}

/** What is wrong with the redirect URIs of one client, in words; undefined if nothing is. */
export function redirectFault(uris: readonly string[]): string | undefined {
  for (const uri of uris) {
    const parsed = URL.parse(uri)
    if (parsed === null)
      return `${uri} is no address; write it in full, such as https://site.example/login`
    if (uri.includes('#')) return `${uri} must not have a fragment (#…)`
    if (uri.includes('*')) return `${uri} must be exact; wildcards are not offered`
    if (NEVER.includes(parsed.protocol)) return `${uri} has a scheme that is not allowed`
  }
  if (new Set(uris.map(typeOf)).size > 1) {
    return 'A client is either a web site or an app: its addresses are all on the web, or all on this machine or of a scheme of its own'
  }
  return undefined
}

function typeOf(uri: string): ApplicationType {
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:') return 'web'
  return protocol === 'http:' && !LOOPBACK.includes(hostname) ? 'web' : 'native'
}
