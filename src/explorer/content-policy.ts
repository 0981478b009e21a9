/**
 * What the page may load. Its scripts and styles are files of the hub; nothing stands in line. Records
 * carry pictures from anywhere; map tiles are pictures too, or are fetched from where the setting says.
 * @param addresses that it may ask: the public one of the hub, the issuer of tokens, the map's tiles
 */
export function contentPolicy(addresses: readonly string[]): string {
  const origins = [...new Set(addresses.map(originOf))].filter((origin) => origin !== undefined)
  // Where the hub itself has no https, the pictures of its records have none either.
  const isPlain = origins.some((origin) => origin.startsWith('http:'))
  const rules = {
    'default-src': "'self'",
    'connect-src': ["'self'", ...origins].join(' '),
    'img-src': `'self' data: blob: https:${isPlain ? ' http:' : ''}`,
    // The map draws in a worker that it makes itself.
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'self'",
  }
  return Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

/** Tiles stand at templates such as `https://{s}.tiles.example/{z}/{x}/{y}.png`. */
function originOf(address: string): string | undefined {
  return /^(?<origin>https?:\/\/[^/]+)/.exec(address.replace('{s}', '*'))?.groups?.['origin']
}
