/** What callers of one kind may use (interface 8, decision D61). */
export type Plan = {
  /** As headers and refusals name it. */
  readonly name: string
  /** Longest range of history in days; undefined for any. */
  readonly historyDays: number | undefined
}

/** The kinds of callers of the interface, section 8. */
export const plans = {
  unregistered: { name: 'Unregistered, no referrer', historyDays: 5 },
  referrer: { name: 'Unregistered, with referrer', historyDays: 100 },
  basic: { name: 'Basic', historyDays: 1000 },
  advanced: { name: 'Advanced', historyDays: undefined },
  premium: { name: 'Premium', historyDays: undefined },
  unlimited: { name: 'No restriction', historyDays: undefined },
} as const satisfies Readonly<Record<string, Plan>>

/** Roles that choose the plan of the bearer of a token; the first that applies, the largest first. */
export const planRoles: readonly (readonly [role: string, plan: Plan])[] = [
  ['HUB_ROLE_ADMIN', plans.unlimited],
  ['HUB_ROLE_PREMIUM', plans.premium],
  ['HUB_ROLE_ADVANCED', plans.advanced],
]
