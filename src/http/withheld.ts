import type { FastifyReply } from 'fastify'
import type { Principal } from '../access/index.ts'

/** What of an answer may be less than there is: records (also values and events), or members of them. */
export type Withheld = 'fields' | 'records'

/** Why: what the caller lacks. An answer that is public by design lacks the same for everybody. */
export type Reason = 'no-token' | 'invalid-token' | 'no-role' | 'public-feed'

/**
 * Says in `X-Withheld` what this caller is not shown, and why (decision D6): a list of tokens with the
 * parameter `reason` (RFC 9651), such as `fields;reason=no-token, records;reason=no-token`. Nothing
 * withheld, no header.
 *
 * It is a statement about the caller's rights and the kind of data, true whether or not there is any
 * closed record among the matches: a header that depended on the data would reveal that there is one.
 * So `kinds` must never be worked out from rows. The header belongs to 304 and HEAD as well: set it
 * before the entity tag is compared.
 */
export function tellWithheld(
  reply: FastifyReply,
  kinds: readonly Withheld[],
  reason: Reason,
): void {
  void reply.removeHeader('x-withheld')
  void reply.headers(withheldHeader(kinds, reason))
}

/** The same as a header. */
export function withheldHeader(
  kinds: readonly Withheld[],
  reason: Reason,
): Readonly<Record<string, string>> {
  if (kinds.length === 0) return {}
  return { 'x-withheld': kinds.map((kind) => `${kind};reason=${reason}`).join(', ') }
}

/** What a caller would need to be shown more. */
export function reasonFor(principal: Principal): Reason {
  if (principal.kind === 'verified') return 'no-role'
  return principal.rejected === undefined ? 'no-token' : 'invalid-token'
}
