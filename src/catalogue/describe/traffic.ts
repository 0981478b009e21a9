import { toSlug } from '../../traffic/index.ts'
import type { Drawable } from '../dataset.ts'
import type { Describing } from './deps.ts'
import { linksTo } from './links.ts'
import { tell, traces } from './summaries.ts'

const view = 'Announcement'

/** The providers of traffic events: every origin of which the caller may see one. */
export function describeTraffic(describing: Describing): readonly Drawable[] {
  const { open, closed, guest } = describing
  const [opened, more, public_] = [open, closed, guest].map(({ content }) => content.get(view))
  const origins = [...new Set([...(opened?.keys() ?? []), ...(more?.keys() ?? [])])].sort()
  return origins.map((origin) => {
    const parts = {
      open: opened?.get(origin),
      closed: more?.get(origin),
      guest: public_?.get(origin),
    }
    return describe(origin, parts, describing.publicUrl)
  })
}

function describe(origin: string, parts: Parameters<typeof tell>[0], publicUrl: string): Drawable {
  const slug = toSlug(origin)
  const id = `traffic/${slug}`
  const events = `${publicUrl}/v1/${view}?source=${encodeURIComponent(origin.toLowerCase())}`
  const feed = `${publicUrl}/traffic/v1/situation-publication/${encodeURIComponent(slug)}`
  // The feed is public: it holds what everybody sees.
  const isPublished = parts.open !== undefined || parts.guest !== undefined
  const described = {
    id,
    service: 'traffic' as const,
    type: slug,
    dataspace: 'mobility',
    title: {
      de: `Verkehrsereignisse: ${origin}`,
      it: `Eventi sul traffico: ${origin}`,
      en: `Traffic events: ${origin}`,
    },
    description: {
      de: `Sperren, Baustellen, Unfälle und Wetter auf der Straße, gemeldet von ${origin}; auch als DATEX II.`,
      it: `Chiusure, cantieri, incidenti e meteo sulla strada, segnalati da ${origin}; anche come DATEX II.`,
      en: `Closures, road works, accidents and weather on the road, told by ${origin}; also as DATEX II.`,
    },
    ...tell(parts),
    sources: [origin],
    freshness: null,
    dataTypes: [],
    formats: [...(isPublished ? [datex] : []), ...formats],
    operations: [`list${view}`, ...(isPublished ? ['getSituationPublication'] : [])],
    links: {
      ...linksTo({ publicUrl, id, page: id }),
      list: events,
      versions: `${publicUrl}/v2/flat,event/${encodeURIComponent(origin)}`,
      ...(isPublished ? { feed } : {}),
    },
  }
  return { described, traces: traces(parts) }
}

const datex = { name: 'datex2', mediaType: 'application/xml' }

/** Of the list. */
const formats = [
  { name: 'json', mediaType: 'application/json' },
  { name: 'csv', mediaType: 'text/csv' },
  { name: 'geojson', mediaType: 'application/geo+json' },
  { name: 'ndjson', mediaType: 'application/x-ndjson' },
]
