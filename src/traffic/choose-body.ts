import type { Body, FeedDocument } from './feed-document.ts'

/**
 * The body that `Accept` prefers (RFC 9110 section 12.5.1): DATEX II, unless GeoJSON is named with a
 * greater weight. Whatever else is asked for gets DATEX II, which is what the feed is (interface 4.11).
 */
export function chooseBody(accept: string | undefined, document: FeedDocument): Body {
  if (accept?.includes('geo+json') !== true) return document
  const ranges = accept.split(',').map(parseRange)
  const weightOf = (wanted: string) => ranges.find(({ name }) => name === wanted)?.weight ?? 0
  const named = weightOf('application/geo+json')
  const xml = Math.max(weightOf('application/xml'), weightOf('text/xml'))
  return named > 0 && named > xml ? document.geojson() : document
}

type Range = { readonly name: string; readonly weight: number }

/** `application/xml;q=0.5` → application/xml, 0.5 */
function parseRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 }
}
