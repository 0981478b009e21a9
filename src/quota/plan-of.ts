import type { Principal } from '../access/index.ts'
import { planRoles, plans } from './plans.ts'
import type { Plan } from './plans.ts'

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
