import { randomBytes } from 'node:crypto'
import { AppError, form } from '../errors/index.ts'
import { nearest } from '../lang/index.ts'

/** What names and secrets look like, and how an unknown one is refused. */

/** What clients may request tokens with. */
export const grantTypes = ['client_credentials', 'password', 'refresh_token', 'authorization_code']

/** Their regular expressions, with what to say of a text that does not match. */
export const forms = {
  /** RFC 6749, appendix A.1: printable ASCII. */
  clientId: {
    maxLength: 200,
    ...form(
      String.raw`^[\x21-\x7e]{1,200}$`,
      'has 1 to 200 printable ASCII characters without spaces',
    ),
  },
  /** A client id, or `user:<name>`. */
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
  /** `/provider/dataset`, `/provider/*` or `/*` (interface 5.10). */
  path: {
    maxLength: 500,
    ...form(
      String.raw`^(?:/[^/*\s]+)?/(?:\*|[^/*\s]+)$`,
      'is /<provider>/<dataset>, /<provider>/* or /*',
    ),
  },
} as const

/** OWASP and NIST SP 800-63B, section 5.1.1.2: no rules but a length. */
export const shortestPassword = 8

/** 192 bits at random, in letters that need no quoting. */
export function generateSecret(): string {
  return randomBytes(24).toString('base64url')
}

type Unknown = { readonly kind: string; readonly name: string; readonly known: readonly string[] }

/** Names that are listed in full; more would hide the rest of the message. */
const LISTED = 20

/** That there is no such name, and which one may be meant. */
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
