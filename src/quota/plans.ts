import type { Principal } from '../access/index.ts'

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
const planRoles: readonly (readonly [role: string, plan: Plan])[] = [
  ['HUB_ROLE_ADMIN', plans.unlimited],
  ['HUB_ROLE_PREMIUM', plans.premium],
  ['HUB_ROLE_ADVANCED', plans.advanced],
]

/** What of a request says which application it comes from. */
export type Caller = {
  readonly principal: Principal
  /** `Referer` header. */
  readonly header: string | undefined
  /** Parameter `referer`, which wins over the header (interface 8). */
  readonly parameter: string | undefined
}

/** The plan of a caller: by the roles of a verified token, otherwise by whether it says who it is. */
export function planOf(caller: Caller): Plan {
  const { principal } = caller
  if (principal.kind === 'verified') {
    return planRoles.find(([role]) => principal.roles.has(role))?.[1] ?? plans.basic
  }
  return referrerOf(caller) === undefined ? plans.unregistered : plans.referrer
}

/** The application that a caller names: the parameter before the header; blanks name none. */
export function referrerOf({ header = '', parameter = '' }: Omit<Caller, 'principal'>) {
  const named = parameter.trim() === '' ? header.trim() : parameter.trim()
  return named === '' ? undefined : named
}

/** Why a caller has its plan, in words for the caller. */
export function reasonOf(caller: Caller): string {
  const { principal } = caller
  if (principal.kind === 'verified') {
    const role = planRoles.find(([one]) => principal.roles.has(one))?.[0]
    const others = planRoles.map(([one]) => one).join(', ')
    return role === undefined
      ? `The token is valid and has none of the roles ${others}.`
      : `The token is valid and has the role ${role}.`
  }
  const token =
    principal.rejected === undefined
      ? 'There is no token'
      : `The token does not count (${principal.rejected})`
  return referrerOf(caller) === undefined
    ? `${token}, and neither the header Referer nor the parameter referer names an application.`
    : `${token}, but the application is named.`
}
