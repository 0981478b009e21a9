import type { ErrorFormat } from './problem.ts'

/**
 * What exceeds a quota is told in the interface's own form, not as problem details (decision D1): `hint`
 * is the address of the page that says which quotas there are; `retryAfter` is in seconds, where waiting
 * helps.
 */
export const toRefusal: ErrorFormat = ({ message, policy, code, headers }, { publicUrl }) => ({
  message,
  hint: `${publicUrl}/docs/errors/${code}`,
  ...(policy === undefined ? {} : { policy }),
  ...(headers['retry-after'] === undefined ? {} : { retryAfter: Number(headers['retry-after']) }),
})
