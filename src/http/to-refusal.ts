import type { ErrorFormat } from './problem.ts'

/**
 * What exceeds a quota is told in the interface's own form, not as problem details (decision D1): `hint`
 * is the address of the page that says which quotas there are.
 */
export const toRefusal: ErrorFormat = ({ message, policy, code }, { publicUrl }) => ({
  message,
  hint: `${publicUrl}/docs/errors/${code}`,
  ...(policy === undefined ? {} : { policy }),
})
