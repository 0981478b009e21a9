import { readJson } from '../../api/index.ts'

export type State = 'ok' | 'degraded' | 'down'
type Service = 'content' | 'timeseries' | 'traffic' | 'push' | 'exports' | 'changes'
type Texts = Readonly<Record<'de' | 'it' | 'en', string>>

/** What everybody sees (`GET /status`). */
export type Status = {
  readonly status: State
  readonly checked: string
  readonly services: readonly {
    readonly service: Service
    readonly status: State
    readonly since: string
  }[]
  readonly datasets:
    | readonly {
        readonly id: string
        readonly title: Texts
        readonly updated: string | null
        readonly freshness: 'fresh' | 'late' | 'stale' | 'silent' | null
      }[]
    | null
}

type Use = { readonly name: string; readonly requests: number }
type Stored = { readonly rows: number | null; readonly bytes: number }

/** What operators see beside it (`GET /operation`). */
export type Operation = {
  readonly version: string
  readonly problems: readonly { readonly component: string; readonly detail: string }[]
  readonly nodes: readonly {
    readonly id: string
    readonly version: string
    readonly started: string
    readonly lastSeen: string
  }[]
  readonly database: {
    readonly engine: string
    readonly durability: string
    readonly migrations: { readonly newest: string | null; readonly pending: readonly string[] }
  }
  readonly queue: readonly {
    readonly stream: string
    readonly waiting: number
    readonly dead: number
    readonly unread: number
    readonly oldestSeconds: number
  }[]
  readonly changes: {
    readonly heldBackSeconds: number
    readonly subscriptions: Readonly<Record<string, number>>
    readonly deliveries: Readonly<Record<string, number>>
  }
  readonly storage: {
    readonly bytes: number
    readonly tables: readonly (Stored & { readonly table: string })[]
    readonly partitions: readonly (Stored & {
      readonly name: string
      readonly month: string | null
      readonly state: 'attached' | 'cold' | 'detaching' | 'detached' | 'moved'
    })[]
    readonly growth: { readonly bytesPerMonth: number; readonly bytesInAYear: number } | null
  }
  readonly settings: readonly {
    readonly name: string
    readonly value: string | null
    readonly isSecret: boolean
    readonly isSet: boolean
    readonly origin: string
  }[]
  readonly node: {
    readonly id: string
    readonly memoryBytes: number
    readonly cpuSeconds: number
    readonly eventLoopSeconds: number
  }
  readonly pools: readonly {
    readonly pool: string
    readonly open: number
    readonly idle: number
    readonly waiting: number
    readonly most: number
  }[]
  readonly statements: {
    readonly source: 'pg_stat_statements' | 'hub'
    readonly shapes: readonly {
      readonly text: string
      readonly calls: number
      readonly seconds: number
      readonly longest: number
    }[]
  }
  readonly answerMemory: { readonly hit: number; readonly miss: number }
  readonly use: Readonly<Record<'clients' | 'datasets' | 'formats' | 'refused', readonly Use[]>>
  readonly quotas: readonly { readonly policy: string; readonly refused: number }[]
}

export const statusRequest = { path: '/status' } as const
export const operationRequest = { path: '/operation', token: 'needed' } as const

export function loadStatus(signal: AbortSignal): Promise<Status> {
  return readJson<Status>(statusRequest.path, {}, signal)
}

/** @throws RequestFailure 403 without the role ADMIN */
export function loadOperation(signal: AbortSignal): Promise<Operation> {
  return readJson<Operation>(operationRequest.path, {}, signal)
}

const order = ['silent', 'stale', 'late', 'fresh', null] as const

/** The datasets that somebody should look at come first. */
export function byFreshness(datasets: NonNullable<Status['datasets']>) {
  const place = ({ freshness }: (typeof datasets)[number]) => order.indexOf(freshness)
  return datasets.toSorted((a, b) => place(a) - place(b) || a.id.localeCompare(b.id))
}
