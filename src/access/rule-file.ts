import { parseDocument } from 'yaml'
import { nearest } from '../lang/index.ts'
import { isObject } from '../lang/json.ts'
import { ruleNameOf } from './rule-table.ts'
import type { AccessRule, Area } from './rule-table.ts'

/** A rule as written in a file or on the command line. */
export type WrittenRule = {
  readonly role?: unknown
  readonly area?: unknown
  readonly origin?: unknown
  readonly type?: unknown
  readonly dataType?: unknown
  readonly period?: unknown
}

const members = ['role', 'area', 'origin', 'type', 'dataType', 'period']
const areas: readonly Area[] = ['content', 'timeseries', 'event']

/**
 * Limit on the rules of one file, because a list of types, origins … expands to one rule per value.
 */
const MOST_RULES = 20_000

/**
 * Parses a rule file, YAML or JSON: `rules`, a list of rules as `toRules` accepts them.
 * @throws Error that names the rule, what is wrong and what is allowed
 */
export function parseRuleFile(text: string): readonly AccessRule[] {
  const document = parseDocument(text)
  const [fault] = document.errors
  if (fault !== undefined) throw new Error(`The file is not valid YAML: ${fault.message}`)
  return parseRules(document.toJS())
}

/**
 * Parses the decoded content of a rule file: an object with `rules`, or the list itself.
 * @throws Error that names the rule, what is wrong and what is allowed
 */
export function parseRules(content: unknown): readonly AccessRule[] {
  const listed = isObject(content) && 'rules' in content ? content['rules'] : content
  if (!Array.isArray(listed)) {
    throw new Error(
      'A rule file has a list named rules: each with role, area, origin, type, dataType, period.',
    )
  }
  const rules = listed.flatMap((rule: unknown, index) => readNumbered(rule, index + 1))
  if (rules.length > MOST_RULES)
    throw new Error(`The file makes more than ${String(MOST_RULES)} rules.`)
  return rules
}

function readNumbered(rule: unknown, number: number): readonly AccessRule[] {
  if (!isObject(rule)) throw new Error(`Rule ${String(number)} is not an object with a role.`)
  try {
    return toRules(rule)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Rule ${String(number)}: ${reason}`, { cause: error })
  }
}

/**
 * Expands a written rule: a field with a list makes one rule per value; a missing field matches
 * anything (decision D60). @throws Error with what is allowed
 */
export function toRules(written: WrittenRule): readonly AccessRule[] {
  for (const name of Object.keys(written)) assertMember(name)
  const area = oneOf(texts('area', written.area))
  const dataTypes = texts('dataType', written.dataType)
  const periods = numbers(written.period)
  if (
    area !== null &&
    area !== 'timeseries' &&
    (written.dataType ?? written.period ?? null) !== null
  ) {
    throw new Error(`dataType and period are fields of time series; the area is ${area}.`)
  }
  const roles = texts('role', written.role).map(toRole)
  const each = product(roles, texts('origin', written.origin), texts('type', written.type))
  if (each.length * dataTypes.length * periods.length > MOST_RULES) {
    throw new Error(`Its lists make more than ${String(MOST_RULES)} rules.`)
  }
  return each.flatMap(([role, origin, type]) =>
    dataTypes.flatMap((dataType) =>
      periods.map((period) => ({ role, area, origin, type, dataType, period })),
    ),
  )
}

function assertMember(name: string): void {
  if (members.includes(name)) return
  const meant = nearest(name, members)
  const hint = meant === undefined ? `Allowed: ${members.join(', ')}.` : `Did you mean ${meant}?`
  throw new Error(`A rule has no ${name}. ${hint}`)
}

/** Returns the name of a role in rules, written with or without its prefix `BDP_`. */
function toRole(value: string | null): string {
  const written = value ?? ''
  const role = written.replace(/^BDP_/, '')
  const name = role.trim()
  if (name === '')
    throw new Error('It needs a role: GUEST for everybody, or a name such as BDP_A22.')
  // No token has such a role, so the rule would look right and open nothing.
  if (name !== role) {
    throw new Error(`The role ${JSON.stringify(written)} has a space at an end. Write "${name}".`)
  }
  if (written === 'ADMIN' || role === 'VIEW_CLOSED_DATA') {
    const other = role === 'ADMIN' ? ' BDP_ADMIN is another role.' : ''
    throw new Error(`The role ${written} sees all closed data without any rule.${other}`)
  }
  if (written.startsWith('HUB_ROLE')) {
    throw new Error(`The role ${written} is about quotas and opens no data; use GUEST or BDP_….`)
  }
  return ruleNameOf(written)
}

function oneOf(written: readonly (string | null)[]): Area | null {
  const [name = null] = written
  if (written.length > 1) throw new Error('A rule has one area, or none for all.')
  if (name === null) return null
  const area = areas.find((known) => known === name)
  if (area !== undefined) return area
  const meant = nearest(name, areas)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new Error(`There is no area ${name}. Allowed: ${areas.join(', ')}.${hint}`)
}

function listOf(name: string, written: unknown): readonly unknown[] {
  const values: readonly unknown[] = Array.isArray(written) ? written : [written ?? null]
  if (values.length > 0) return values
  throw new Error(`${name} is an empty list; leave it out for any.`)
}

function texts(name: string, written: unknown): readonly (string | null)[] {
  const values = listOf(name, written)
  return values.map((value) => {
    if (value === null && values.length === 1) return null
    if (typeof value === 'string' && value !== '') return value
    throw new Error(`${name} takes a text or a list of texts, not ${JSON.stringify(value)}.`)
  })
}

function numbers(written: unknown): readonly (number | null)[] {
  const values = listOf('period', written)
  return values.map((value) => {
    if (value === null && values.length === 1) return null
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < 2 ** 31) {
      return number
    }
    throw new Error(`period takes whole seconds, not ${JSON.stringify(value)}.`)
  })
}

function product(
  roles: readonly string[],
  origins: readonly (string | null)[],
  types: readonly (string | null)[],
) {
  return roles.flatMap((role) =>
    origins.flatMap((origin) => types.map((type) => [role, origin, type] as const)),
  )
}
