import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Every } from '../async/index.ts'
import type { Problem } from '../observe/index.ts'
import type { Database } from '../storage/index.ts'

/** The services of a hub that callers notice. */
export const services = ['content', 'timeseries', 'traffic', 'push', 'exports', 'changes'] as const
type Service = (typeof services)[number]

/** The states of a service, from best to worst. */
export const states = ['ok', 'degraded', 'down'] as const
export type State = (typeof states)[number]

export type ServiceStatus = {
  readonly service: Service
  readonly status: State
  /** Start of this status, as far as this process knows. */
  readonly since: Date
}

/**
 * The service affected by problems of a component. Problems of other components concern operators
 * only.
 */
const concerned: Readonly<Record<string, Service>> = {
  push: 'push',
  mappings: 'push',
  exports: 'exports',
  changes: 'changes',
}

type Deps = {
  readonly database: Pick<Database, 'ping'>
  readonly metrics: Registry
  readonly problems: () => readonly Problem[]
  /** Returns problems so serious that requests must go to another node. */
  readonly obstacles: () => readonly Problem[]
  readonly every: Every
  readonly now: () => Date
}

const fiveSeconds = 5000

/**
 * Checks the status of each service every few seconds, so that callers who request it never wait
 * for a database.
 */
export async function watchServices(deps: Deps) {
  const { metrics, every, now } = deps
  let checked = now()
  let known: readonly ServiceStatus[] = services.map((service) => ({
    ...{ service, status: 'ok', since: checked },
  }))
  const gauge = new Gauge({
    name: 'hub_service_ok',
    help: '1 while a service is well, otherwise 0',
    labelNames: ['service'] as const,
    registers: [metrics],
  })
  const look = async () => {
    const hasDatabase = await deps.database.ping().then(
      () => true,
      () => false,
    )
    checked = now()
    known = known.map((before) => {
      const status = statusOf(before.service, { ...deps, hasDatabase })
      gauge.set({ service: before.service }, status === 'ok' ? 1 : 0)
      return status === before.status ? before : { ...before, status, since: checked }
    })
  }
  await look()
  const stop = every(fiveSeconds, look)
  return { stop, current: () => ({ checked, services: known }) }
}

function statusOf(
  service: Service,
  { hasDatabase, obstacles, problems }: Deps & { readonly hasDatabase: boolean },
): State {
  // The traffic feed is in memory: it is outdated, but available.
  if (!hasDatabase) return service === 'traffic' ? 'degraded' : 'down'
  const isHit = problems().some(({ component }) => concerned[component] === service)
  return isHit || obstacles().length > 0 ? 'degraded' : 'ok'
}
