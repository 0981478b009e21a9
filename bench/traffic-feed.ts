import { feedPath, loadTrafficEvents } from './fixtures/traffic-events.ts'
import type { Bench } from './harness/bench.ts'
import { comparison } from './harness/bench.ts'
import { onCoresOfTheirOwn } from './harness/cores.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'
import type { Requests } from './harness/load.ts'
import { startNginx } from './harness/nginx.ts'

/** The load generator needs a number in the URL; the only one here is at its end. */
const feed = { path: feedPath, low: 1, high: 1 }
const address = `${feedPath}1`

type Sides = { readonly ours: Requests; readonly limit: Requests }

/**
 * Compares the bytes of the feed from the hub and from nginx, which run on the same core in turn.
 */
function against(bench: (prepared: () => Sides) => Bench): Bench['run'] {
  return async (environment) => {
    await loadTrafficEvents(environment)
    const { hub } = environment
    const bytes = await readFeed(environment)
    const contentType = 'application/xml; charset=utf-8'
    const nginx = await startNginx({ files: { [address]: bytes }, contentType, core: 0 })
    try {
      const [ours, limit] = [
        { url: hub.url, ...feed },
        { url: nginx.url, ...feed },
      ]
      const { run } = bench(() => ({ ours, limit }))
      return await onCoresOfTheirOwn(hub.process.pid, () => run(environment))
    } finally {
      await nginx.stop()
    }
  }
}

async function readFeed({ hub, log }: Environment): Promise<Buffer> {
  const response = await fetch(`${hub.url}${address}`, {
    headers: { 'accept-encoding': 'identity' },
  })
  if (response.status !== 200) throw new Error(`${address} answers ${String(response.status)}.`)
  const bytes = Buffer.from(await response.arrayBuffer())
  log(`The feed has ${bytes.length.toLocaleString('en')} bytes.`)
  return bytes
}

async function withTag(requests: Requests): Promise<Requests> {
  const { headers } = await fetch(`${requests.url}${address}`, { method: 'HEAD' })
  return { ...requests, etag: headers.get('etag') ?? '' }
}

const unit = 'answers/s'

/**
 * Requests of callers who have the current document, which is what most requests for a feed are.
 */
export const trafficConditional: Bench = {
  name: 'traffic-conditional',
  run: against((sides) =>
    comparison({
      name: 'traffic-conditional',
      title: 'Traffic feed of 1,000 situations that the caller has (304) ÷ nginx',
      unit,
      prepare: async () => ({
        ours: await withTag(sides().ours),
        limit: await withTag(sides().limit),
      }),
      ours: ({ ours }) => httpLoad(ours),
      limit: ({ limit }) => httpLoad(limit),
    }),
  ),
}

export const trafficFull: Bench = {
  name: 'traffic-full',
  run: against((sides) =>
    comparison({
      name: 'traffic-full',
      title: 'Traffic feed of 1,000 situations ÷ nginx',
      goal: 0.8,
      unit,
      prepare: () => Promise.resolve(sides()),
      ours: ({ ours }) => httpLoad(ours),
      limit: ({ limit }) => httpLoad(limit),
    }),
  ),
}
