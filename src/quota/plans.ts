/** What callers of one kind may use (interface 8, decision D61). */
export type Plan = {
  /** As headers and refusals name it. */
  readonly name: string
  /** Longest range of history in days; undefined for any. */
  readonly historyDays: number | undefined
  /** Requests in a second that count together; undefined for any number. */
  readonly requests: number | undefined
  /** Which requests count together: those that are alike in all of these. */
  readonly countedPer: readonly CountedPer[]
}

/** What tells requests apart that do not count together (interface 8). */
export type CountedPer = 'user' | 'referer' | 'address' | 'path'

const byAddress = ['address', 'path'] as const
const byReferrer = ['referer', 'address', 'path'] as const
const byUser = ['user', 'referer', 'address', 'path'] as const

/** The kinds of callers of the interface, section 8. */
export const plans = {
  unregistered: {
    name: 'Unregistered, no referrer',
    historyDays: 5,
    requests: 10,
    countedPer: byAddress,
  },
  referrer: {
    name: 'Unregistered, with referrer',
    historyDays: 100,
    requests: 20,
    countedPer: byReferrer,
  },
  basic: { name: 'Basic', historyDays: 1000, requests: 50, countedPer: byUser },
  advanced: { name: 'Advanced', historyDays: undefined, requests: 100, countedPer: byUser },
  premium: { name: 'Premium', historyDays: undefined, requests: 200, countedPer: byUser },
  unlimited: {
    name: 'No restriction',
    historyDays: undefined,
    requests: undefined,
    countedPer: [],
  },
} as const satisfies Readonly<Record<string, Plan>>

/** Roles that choose the plan of the bearer of a token; the first that applies, the largest first. */
export const planRoles: readonly (readonly [role: string, plan: Plan])[] = [
  ['HUB_ROLE_ADMIN', plans.unlimited],
  ['HUB_ROLE_PREMIUM', plans.premium],
  ['HUB_ROLE_ADVANCED', plans.advanced],
]
