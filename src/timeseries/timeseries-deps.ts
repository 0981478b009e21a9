import type { Principal, Visibility } from '../access/index.ts'
import type { Database } from '../storage/index.ts'
import type { ColdMonths } from './cold/cold-months.ts'
import type { Profile } from './parameters.ts'
import type { HistoryLimit } from './read/plan.ts'

/** Dependencies of the routes of the time series service. */
export type TimeseriesDeps = {
  readonly database: Database
  /** Cold months. If undefined, values that are stored in files are not found. */
  readonly cold?: ColdMonths | undefined
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /** Bytes for cached responses (`HUB_ANSWER_MEMORY`). Latest values may use twice as much. */
  readonly answerMemory?: number
  /** `HUB_PROFILE` (decision D0). */
  readonly profile?: Profile
  /**
   * Prefixes of `origin` values that name a client (decision D43, `HUB_CLIENT_ORIGIN_PREFIXES`).
   */
  readonly clientOriginPrefixes?: readonly string[]
  /** Returns how much history a caller may request at once (decision D62). If undefined, any. */
  readonly historyLimitOf?: ((caller: Caller) => HistoryLimit) | undefined
}

/** The caller, and its application: the `Referer` header, and the parameter that overrides it. */
export type Caller = {
  readonly principal: Principal
  readonly header: string | undefined
  readonly parameter: string | undefined
}
