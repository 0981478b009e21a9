import { randomBytes } from 'node:crypto'
import { AppError, form } from '../errors/index.ts'
import { nearest } from '../lang/index.ts'

/** The syntax of names and secrets, and the error for an unknown name. */

/** Grant types that a client may request tokens with. */
export const grantTypes = ['client_credentials', 'password', 'refresh_token', 'authorization_code']

/** Regular expressions of names, with the message for a text that does not match. */
export const forms = {
  /** RFC 6749, appendix A.1: printable ASCII. */
  clientId: {
    maxLength: 200,
    ...form(
      String.raw`^[\x21-\x7e]{1,200}$`,
      'has 1 to 200 printable ASCII characters without spaces',
    ),
  },
  /** The holder of a push permission: a client id, or `user:<name>`. */
  holder: {
    maxLength: 210,
    ...form(
      String.raw`^(?:[\x21-\x7e]{1,200}|user:(?!\s)[^\x00-\x1f\x7f-\x9f]{1,200}(?<!\s))$`,
      'is a client id, or user:<name>',
    ),
  },
  userName: {
    maxLength: 200,
    ...form(
      String.raw`^(?!\s)[^\x00-\x1f\x7f-\x9f]{1,200}(?<!\s)$`,
      'has 1 to 200 characters, without a space at either end',
    ),
  },
  role: { maxLength: 200, ...form(String.raw`^[^\s,]{1,200}$`, 'is one word without commas') },
  /** A push path or pattern: `/provider/dataset`, `/provider/*` or `/*` (interface 5.10). */
  path: {
    maxLength: 500,
    ...form(
      String.raw`^(?:/[^/*\s]+)?/(?:\*|[^/*\s]+)$`,
      'is /<provider>/<dataset>, /<provider>/* or /*',
    ),
  },
} as const

/**
 * Minimum characters of a password: the only rule, as OWASP and NIST SP 800-63B, section 5.1.1.2
 * recommend.
 */
export const minPasswordLength = 8

/** Returns a secret of 192 random bits, in characters that need no quoting. */
export function generateSecret(): string {
  return randomBytes(24).toString('base64url')
}

type Unknown = { readonly kind: string; readonly name: string; readonly known: readonly string[] }

/** Limit on the names listed in a message; more would hide the rest of it. */
const LISTED = 20

/**
 * Returns the error for an unknown name, with the nearest known name or a list of the known ones.
 */
export function noSuch({ kind, name, known }: Unknown): AppError {
  const meant = nearest(name, known)
  if (meant !== undefined) {
    return new AppError('HUB-ACC-005', `There is no ${kind} ${name}. Did you mean ${meant}?`)
  }
  const listed = known.slice(0, LISTED).join(', ')
  const more = known.length > LISTED ? `, and ${String(known.length - LISTED)} more` : ''
  const all = known.length === 0 ? 'There are none yet.' : `Known: ${listed}${more}.`
  return new AppError('HUB-ACC-005', `There is no ${kind} ${name}. ${all}`)
}
