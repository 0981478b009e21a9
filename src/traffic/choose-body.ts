import { preferredType } from '../http/index.ts'
import type { Body, FeedDocument } from './feed-document.ts'

const offered = ['application/xml', 'text/xml', 'application/geo+json']

/**
 * The body that `Accept` prefers (RFC 9110 section 12.5.1). Whatever else it names is answered with
 * DATEX II, which is what the feed is (interface 4.11).
 */
export function chooseBody(accept: string | undefined, document: FeedDocument): Body {
  const isGeoJson = preferredType(accept, offered) === 'application/geo+json'
  return isGeoJson ? document.geojson() : document
}
