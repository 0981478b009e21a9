import type { Registry } from 'prom-client'
import type { Config } from '../config/index.ts'
import { answerClock, countUse, measureStatements, openTracing } from '../observe/index.ts'
import type { AnswerClock, MetricsAccess, Tracing } from '../observe/index.ts'
import { watchStatements } from '../storage/index.ts'
import type { AroundStatement } from '../storage/index.ts'
import type { WholeStore } from './open-store.ts'
import { isLoopback } from './environment.ts'
import type { Environment } from './environment.ts'

/** What watches requests and their statements. */
export type Observation = {
  readonly statements: ReturnType<typeof measureStatements>
  readonly use: ReturnType<typeof countUse>
  readonly clock: AnswerClock | undefined
  readonly tracing: Tracing | undefined
}

export async function composeObservation(
  config: Config,
  { log, now, version }: Environment,
  metrics: Registry,
): Promise<Observation> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, HUB_TRACE_SHARE: share } = config
  const onError = (err: unknown) => {
    log.warn({ err }, 'Traces could not be sent and are dropped.')
  }
  return {
    statements: measureStatements(metrics),
    use: countUse(),
    clock: config.HUB_SERVER_TIMING === 'on' ? answerClock() : undefined,
    tracing:
      endpoint === undefined
        ? undefined
        : await openTracing({ endpoint, share, version, now, onError }),
  }
}

const tokenPrefix = 'token:'

/** Who may read the metrics: nobody by default where other machines reach the hub. */
export function metricsAccessOf({ HUB_METRICS, HUB_HOST: host }: Config): MetricsAccess {
  const chosen = HUB_METRICS ?? (isLoopback(host) ? 'on' : 'off')
  if (chosen === 'on' || chosen === 'off') return { kind: chosen }
  if (!chosen.startsWith(tokenPrefix)) return { kind: 'port', port: Number(chosen), host }
  return { kind: 'token', token: chosen.slice(tokenPrefix.length) }
}

/** The store with its statements watched. */
export function observed(
  store: WholeStore,
  { statements, clock, tracing }: Observation,
): WholeStore {
  const watchers: readonly AroundStatement[] = [
    statements.around,
    ...(clock === undefined ? [] : [clock.around]),
    ...(tracing === undefined ? [] : [tracing.around]),
  ]
  return watchers.reduce(
    (watched, around) => ({ ...watched, database: watchStatements(watched.database, around) }),
    store,
  )
}
