import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger } from 'fastify'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { AppError } from '../errors/index.ts'
import { problem } from '../lang/schemas.ts'
import type { Built, Exit, KeptExit } from './keep-exit.ts'

/** Returns a function that records how much each build published and left out. */
export function observeBuilds(registry: Registry): (exit: Exit, built: Built) => void {
  const registers = [registry]
  const published = new Gauge({
    name: 'hub_standards_published',
    help: 'Stations that are published in the form of a standard',
    labelNames: ['exit'],
    registers,
  })
  const leftOut = new Gauge({
    name: 'hub_standards_left_out',
    help: 'Stations that cannot be published in the form of a standard, by what they are missing',
    labelNames: ['exit', 'lacks'],
    registers,
  })
  const reported = new Map<string, ReadonlySet<string>>()
  return ({ name }, built) => {
    published.set({ exit: name }, built.published)
    const byLack = Map.groupBy(built.leftOut, ({ lacks }) => lacks)
    for (const lacks of reported.get(name) ?? []) leftOut.set({ exit: name, lacks }, 0)
    for (const [lacks, stations] of byLack) leftOut.set({ exit: name, lacks }, stations.length)
    reported.set(name, new Set(byLack.keys()))
  }
}

/** Maximum number of stations that are listed per exit. The rest are only counted. */
const maxListed = 1000

const operation = {
  operationId: 'getStandardsHealth',
  summary: 'Data published as GBFS and DATEX II v3, and data left out, with the reason',
  description:
    'For the operator: data that providers have to add or correct so that it is published.',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      exits: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Such as gbfs/bolzano' }),
          fault: Type.Optional(
            Type.String({
              description: 'Why it cannot be built now; the other fields are then unknown',
            }),
          ),
          published: Type.Integer({ description: 'Stations' }),
          leftOutCount: Type.Integer(),
          leftOut: Type.Array(
            Type.Object({
              type: Type.String(),
              code: Type.String(),
              lacks: Type.String({ description: 'Such as position' }),
              reason: Type.String(),
            }),
            { description: `The first ${String(maxListed)}`, maxItems: maxListed },
          ),
        }),
      ),
    }),
    503: problem,
  },
}

/**
 * `GET /health/standards`. Stations are visible to everyone (decision D60), so the reasons why they
 * are left out are visible, too.
 */
export const standardsHealth =
  (exits: readonly KeptExit[]): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/health/standards', { schema: operation }, async ({ log }, reply) => {
      void reply.header('cache-control', 'no-store')
      return { exits: await Promise.all(exits.map((kept) => report(kept, log))) }
    })
    return Promise.resolve()
  }

async function report({ exit: { name }, get }: KeptExit, log: Pick<FastifyBaseLogger, 'warn'>) {
  try {
    const { published, leftOut } = await get()
    const listed = leftOut.slice(0, maxListed)
    return { name, published, leftOutCount: leftOut.length, leftOut: listed }
  } catch (err) {
    log.warn({ err, exit: name }, 'An exit could not be built; the next request tries again.')
    return { name, fault: faultOf(err), published: 0, leftOutCount: 0, leftOut: [] }
  }
}

/** Returns the message of an error for callers. Any other, such as a database's, is only logged. */
function faultOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'It could not be built; the log has the cause.'
}
