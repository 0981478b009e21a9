import { InvalidArgumentError } from 'commander'
import { nearest } from '../../lang/index.ts'

/** What clients may ask for tokens with. */
export const grantTypes = ['client_credentials', 'password', 'refresh_token', 'authorization_code']

/** `A,B`: a list without blanks and repetitions; nothing at all is the empty list. */
export function parseList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

export function parseGrantTypes(text: string): readonly string[] {
  const wanted = parseList(text)
  for (const grant of wanted) {
    if (grantTypes.includes(grant)) continue
    const meant = nearest(grant, grantTypes)
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    throw new InvalidArgumentError(`It takes ${grantTypes.join(', ')}.${hint}`)
  }
  return wanted
}

/** `client=ROLE,ROLE`, once for each client. */
export function parseClientRoles(
  text: string,
  others: Readonly<Record<string, readonly string[]>> = {},
): Readonly<Record<string, readonly string[]>> {
  const equals = text.indexOf('=')
  if (equals < 1) throw new InvalidArgumentError('Write it as <client>=<role>,<role>.')
  return { ...others, [text.slice(0, equals)]: parseList(text.slice(equals + 1)) }
}

export function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number of seconds from 1 on.')
}

/** RFC 6749, appendix A.1: printable ASCII. */
export function parseClientId(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text
  throw new InvalidArgumentError('A client id has 1 to 200 letters, digits and signs, no blanks.')
}

export function parseUserName(text: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(text) && text.trim() === text) return text
  throw new InvalidArgumentError(
    'A user name has 1 to 200 characters, none of them at its ends a blank.',
  )
}

/** `/provider/dataset`, `/provider/*` or `/*` (interface 5.10). */
export function parsePathPattern(text: string): string {
  if (/^(\/[^/*\s]+){0,2}\/(\*|[^/*\s]+)$/.test(text) && text.split('/').length <= 3) return text
  throw new InvalidArgumentError('A path is /<provider>/<dataset>, /<provider>/* or /*.')
}
