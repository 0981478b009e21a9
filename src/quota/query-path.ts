const timeseries = 'v2'

/** Requests may name their host in the address too (RFC 9112, 3.2.2). */
const origin = /^https?:\/\/[^/?#]*/i

/** Where masked times stood. */
const masks = ['{from}', '{to}']

/**
 * The "query path" that requests are counted by (interface 8, decision D61): the path of an address
 * without its query string, and in the time series service without the times. However an address is
 * spelled, with percent signs or a slash at the end, its query path is the same; else each spelling
 * would have a count of its own.
 * @param url an address from its path on
 */
export function queryPath(url: string): string {
  const address = url.replace(origin, '')
  const path = address.slice(0, endOfPath(address))
  const segments = path.split('/').slice(1).map(decode)
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  return `/${maskTimes(segments).join('/')}`
}

/** The router ends a path at a fragment too, though no client should send one. */
function endOfPath(url: string): number {
  const end = url.search(/[?#]/)
  return end === -1 ? url.length : end
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // the router answers 400
  }
}

/**
 * `/v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}`; events have no data types, and may
 * have one time (interface 4.8).
 */
function maskTimes(segments: readonly string[]): readonly string[] {
  const [service, representation = '', types, ...rest] = segments
  if (service !== timeseries || types === undefined) return segments
  const kept = /,\s*event\s*$/i.test(representation) ? 0 : 1
  const times = rest.slice(kept)
  if (times.length === 0 || times.join('').toLowerCase() === 'latest') return segments
  return [service, representation, types, ...rest.slice(0, kept), ...masks.slice(0, times.length)]
}
