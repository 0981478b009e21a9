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
export function planOf({ principal, header, parameter }: Caller): Plan {
  if (principal.kind === 'verified') {
    return planRoles.find(([role]) => principal.roles.has(role))?.[1] ?? plans.basic
  }
  const referrer = (parameter ?? header ?? '').trim()
  return referrer === '' ? plans.unregistered : plans.referrer
}
