import type { Principal, Visibility } from '../access/index.ts'
import type { Database } from '../storage/index.ts'
import type { ColdMonths } from './cold/cold-months.ts'
import type { Profile } from './parameters.ts'
import type { HistoryLimit } from './read/plan.ts'

/** What the routes of the time series service are given. */
export type TimeseriesDeps = {
  readonly database: Database
  /** Without it, values that lie in files are not found. */
  readonly cold?: ColdMonths | undefined
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /** Bytes of answers that are kept (`HUB_ANSWER_MEMORY`); latest values may take twice as many. */
  readonly answerMemory?: number
  /** `HUB_PROFILE` (decision D0). */
  readonly profile?: Profile
  /** Beginnings of `origin` values that name a client (decision D43, `HUB_CLIENT_ORIGIN_PREFIXES`). */
  readonly clientOriginPrefixes?: readonly string[]
  /** How much history a caller may request at once (decision D62); absent: any. */
  readonly historyLimitOf?: ((caller: Caller) => HistoryLimit) | undefined
}

/** The caller, and its application: the `Referer` header, and the parameter that wins over it. */
export type Caller = {
  readonly principal: Principal
  readonly header: string | undefined
  readonly parameter: string | undefined
}
