import { hash } from 'node:crypto'
import type { IdRules } from '../definition/members.ts'
import { nearest } from '../../../lang/index.ts'
import { ExpressionFault } from '../faults.ts'
import { isNothing, shown, textOf } from './values.ts'

/**
 * `$id(rule, part, …)`: an identifier as its rule says it; nothing when a part is nothing, so that no two
 * things get the same one.
 */
export function idMaker(rules: IdRules) {
  return (rule: unknown, ...parts: readonly unknown[]): string | undefined => {
    const found = typeof rule === 'string' && Object.hasOwn(rules, rule) ? rules[rule] : undefined
    if (found === undefined) throw noSuchRule(rule, rules)
    if (parts.length === 0 || parts.some(isNothing)) return undefined
    const { prefix = '', separator = ':', uuid5 } = found
    const joined = parts.map((part) => textOf(part, 'id')).join(separator)
    return `${prefix}${uuid5 === undefined ? joined : toUuid5(uuid5, joined)}`
  }
}

function noSuchRule(rule: unknown, rules: IdRules): ExpressionFault {
  const names = Object.keys(rules)
  const meant = nearest(String(rule), names)
  const hint = meant === undefined ? `ids: ${names.join(', ') || 'none'}` : `did you mean ${meant}?`
  return new ExpressionFault(`$id: there is no rule ${shown(rule)}; ${hint}`)
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Namespaces of RFC 9562, section 6.6. */
const namespaces = new Map([
  ['dns', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['url', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'],
  ['oid', '6ba7b812-9dad-11d1-80b4-00c04fd430c8'],
  ['x500', '6ba7b814-9dad-11d1-80b4-00c04fd430c8'],
])

/** `$uuid5(namespace, name)`: always the same UUID for the same name (RFC 9562, section 5.5). */
export function uuid5(namespace: unknown, name: unknown): string | undefined {
  if (isNothing(namespace) || isNothing(name)) return undefined
  return toUuid5(textOf(namespace, 'uuid5'), textOf(name, 'uuid5'))
}

function toUuid5(namespace: string, name: string): string {
  const space = namespaces.get(namespace) ?? namespace
  if (!uuidPattern.test(space)) {
    throw new ExpressionFault(
      `$uuid5: ${JSON.stringify(namespace)} is no UUID, nor dns, url, oid or x500`,
    )
  }
  const spaceBytes = Buffer.from(space.replaceAll('-', ''), 'hex')
  const bytes = hash('sha1', Buffer.concat([spaceBytes, Buffer.from(name)]), 'buffer').subarray(
    0,
    16,
  )
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** `$hash(value, length?)`: SHA-256 in hexadecimal digits, or as many of them as are asked for. */
export function hashOf(value: unknown, length: unknown): string | undefined {
  if (isNothing(value)) return undefined
  const text = typeof value === 'object' ? JSON.stringify(value) : textOf(value, 'hash')
  const digits = hash('sha256', text)
  return typeof length === 'number' ? digits.slice(0, Math.max(1, Math.floor(length))) : digits
}
