import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** How often something was used. */
export type Use = { readonly name: string; readonly requests: number }

/** Callers can make names up, so only so many are counted apart: those that were used last. */
const mostNames = 500
const longestName = 100

/** Which clients read which datasets in which formats: counts only, kept in memory, and shown to operators alone. */
export function countUse() {
  const counts = {
    clients: new LRUCache<string, number>({ max: mostNames }),
    datasets: new LRUCache<string, number>({ max: mostNames }),
    formats: new LRUCache<string, number>({ max: mostNames }),
    refused: new LRUCache<string, number>({ max: mostNames }),
  }
  const count = (kind: keyof typeof counts, name: string) => {
    const key = name.slice(0, longestName)
    counts[kind].set(key, (counts[kind].get(key) ?? 0) + 1)
  }
  const most = (kind: keyof typeof counts, limit: number): readonly Use[] =>
    [...counts[kind].entries()]
      .map(([name, requests]) => ({ name, requests }))
      .sort((a, b) => b.requests - a.requests || a.name.localeCompare(b.name))
      .slice(0, limit)
  return {
    watch: (app: FastifyInstance) => {
      app.addHook('onResponse', (request, reply, done) => {
        if (reply.statusCode === 429) count('refused', clientOf(request))
        const datasets = reply.statusCode < 400 ? datasetsOf(request) : []
        for (const dataset of datasets) count('datasets', dataset)
        if (datasets.length > 0) {
          count('clients', clientOf(request))
          count('formats', formatOf(reply))
        }
        done()
      })
    },
    most: (limit: number) => ({
      clients: most('clients', limit),
      datasets: most('datasets', limit),
      formats: most('formats', limit),
      refused: most('refused', limit),
    }),
  }
}

function clientOf({ principal }: FastifyRequest): string {
  return principal.kind === 'verified' ? principal.client : 'anonymous'
}

/** A response without a body, such as 304, has no format. */
function formatOf(reply: FastifyReply): string {
  const [type = ''] = String(reply.getHeader('content-type') ?? '').split(';')
  return type === '' ? String(reply.statusCode) : type
}

/** The identifiers of the datasets that a request reads, as the catalogue has them. */
function datasetsOf({ routeOptions, params }: FastifyRequest): readonly string[] {
  const route = routeOptions.url ?? ''
  const [, content] = /^\/v1\/([A-Z]\w*)/.exec(route) ?? []
  if (content !== undefined) return [`content/${content}`]
  if (route.startsWith('/traffic/')) return ['traffic']
  const types = route.startsWith('/v2/') ? parameterOf(params, 'stationTypes') : undefined
  return (types ?? '').split(',').flatMap((type) => {
    return ['', '*'].includes(type.trim()) ? [] : [`timeseries/${type.trim()}`]
  })
}

function parameterOf(params: unknown, name: string): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  const value: unknown = Reflect.get(params, name)
  return typeof value === 'string' ? value : undefined
}
