/**
 * What the page may load. Its scripts and styles are files of the hub; nothing stands in line. Records
 * carry pictures from anywhere; map tiles are pictures too, or are fetched from where the setting says.
 * @param elsewhere addresses besides the hub that it may ask: the issuer of tokens, the map's tiles
 */
export function contentPolicy(elsewhere: readonly string[]): string {
  const origins = [...new Set(elsewhere.map(originOf))].filter((origin) => origin !== undefined)
  const rules = {
    'default-src': "'self'",
    'connect-src': ["'self'", ...origins].join(' '),
    'img-src': "'self' data: blob: https:",
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
