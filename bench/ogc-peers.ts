import { highestId, loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { makePlaces, pygeoapi, tipg } from './fixtures/ogc-peers.ts'
import type { Peer } from './fixtures/ogc-peers.ts'
import { comparison } from './harness/bench.ts'
import type { Bench } from './harness/bench.ts'
import { httpLoad } from './harness/http-load.ts'
import type { Requests } from './harness/load.ts'
import { boxOf } from './ogc-features.ts'

type PeerRequests = Pick<Requests, 'path' | 'low' | 'high' | 'suffix'> & {
  readonly name: string
  readonly title: string
}

/** Paths relative to the collection. */
const asked: readonly PeerRequests[] = [
  { name: 'items', title: 'pages of 100', path: '/items?limit=', low: 95, high: 105 },
  {
    name: 'box',
    title: 'pages of 100 in a box with a hundredth of the places',
    path: '/items?limit=100&bbox=',
    ...boxOf,
  },
  { name: 'one', title: 'one feature', path: '/items/', low: lowestId, high: highestId },
]

/**
 * The same requests to the hub and to other OGC API Features servers, on the same records in one
 * database.
 */
export const ogcPeers: readonly Bench[] = [tipg, pygeoapi].flatMap((peer) =>
  asked.map((one) => besidePeer(peer, one)),
)

function besidePeer(peer: Peer, { name, title, ...requests }: PeerRequests): Bench {
  const full = `OGC API Features, ${title} ÷ ${peer.name} ${peer.version}`
  const bench = `ogc-peers-${peer.name}-${name}`
  return {
    name: bench,
    run: async (environment) => {
      await loadAccommodations(environment)
      await makePlaces(environment)
      const started = await peer.start(environment).catch((error: unknown) => String(error))
      if (typeof started === 'string') return leftOut(full, started)
      const load = (url: string) => httpLoad({ url, ...requests, seconds })
      const { run } = comparison({
        ...{ name: bench, title: full, goal: 3, unit: 'answers/s' },
        prepare: () => Promise.resolve(),
        ours: () => load(`${environment.hub.url}/ogc/collections/Accommodation`),
        limit: () => load(started.collection),
      })
      try {
        return await run(environment)
      } finally {
        await started.stop()
      }
    },
  }
}

/** Longer than the default, because some servers respond only a few times per second. */
const seconds = 5

/** Reports a server that the Python registry does not provide as left out. */
function leftOut(title: string, reason: string) {
  const [line = ''] = reason.split('\n')
  return { title, goal: '≥ 3.00', median: 'left out', worst: '', holds: true, detail: line }
}
