import { AppError } from '../errors/index.ts'
import { textOf } from '../lang/json.ts'
import type { Parameters } from './ask-hub.ts'
import type { Dataset } from './dataset.ts'
import type { Filters } from './tool.ts'

type Value = string | number | boolean | null

/** Translates the filter arguments of a tool into parameters of the dataset's list. */
export function toParameters(dataset: Dataset, filters: Filters): Parameters {
  const { match = {}, parameters = {} } = filters
  assertFree(parameters)
  const search = filters.search ?? textOf(parameters['searchfilter'])
  const own = textOf(parameters[dataset.service === 'content' ? 'rawfilter' : 'where'])
  const filter = joined([filters.filter, own])
  const pairs = Object.entries(match)
  if (dataset.service === 'content') {
    const conditions = [...pairs.map(([path, value]) => toRawfilter(path, value)), filter]
    return { ...parameters, searchfilter: search, rawfilter: joined(conditions) }
  }
  const named = search === undefined ? [] : [contains('sname', search)]
  const conditions = [...named, ...pairs.map(([path, value]) => toWhere(path, value)), filter]
  return { ...parameters, where: joined(conditions) }
}

/**
 * Parameters that callers may not pass: the tools set them, or could not parse the resulting
 * response.
 */
const taken = [
  'format',
  'stream',
  'bom',
  'getasidarray',
  'explain',
  'cursor',
  'pagenumber',
  'pagesize',
  'limit',
  'offset',
]

function assertFree(parameters: Parameters): void {
  const name = Object.keys(parameters).find((one) => taken.includes(one.toLowerCase()))
  if (name === undefined) return
  throw new AppError('HUB-QRY-001', `parameters: ${name} is set by the tool.`, {
    hint: 'Use the arguments limit and cursor; results are always JSON.',
  })
}

/** Joins conditions that must all be true. The syntax is the same in both filter languages. */
export function joined(conditions: readonly (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length > 1 ? `and(${given.join(',')})` : given[0]
}

/** Returns the text after a leading `~`, which may occur anywhere in the value. */
const partOf = (value: Value) =>
  typeof value === 'string' && value.startsWith('~') ? value.slice(1) : undefined

function toRawfilter(path: string, value: Value): string {
  assertPath(path)
  if (value === null) return `isnull(${path})`
  const part = partOf(value)
  if (part !== undefined) return `like(${path},${quoted(part)})`
  const literal = typeof value === 'string' ? quoted(value) : String(value)
  // Only `in` checks every element of an array.
  return `${path.includes('[*]') ? 'in' : 'eq'}(${path},${literal})`
}

/** Quotes a text for `rawfilter`. Single quotes are doubled (decision D35). */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function toWhere(path: string, value: Value): string {
  assertPath(path)
  const part = partOf(value)
  if (part !== undefined) return contains(path, part)
  return `${path}.eq.${typeof value === 'string' ? inQuotes(value) : String(value)}`
}

function contains(path: string, part: string): string {
  return `${path}.ire.${inQuotes(part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))}`
}

/** Quotes a text for `where`. Quotes and backslashes are escaped. */
function inQuotes(text: string): string {
  return `"${text.replace(/["'\\]/g, String.raw`\$&`)}"`
}

/** Returns a `where` condition that matches the stations with these codes (`scode`). */
export function ofStations(codes: readonly string[]): string | undefined {
  const [only] = codes
  if (only === undefined) return undefined
  if (codes.length === 1) return `scode.eq.${inQuotes(only)}`
  return `scode.in.(${codes.map(inQuotes).join(',')})`
}

/**
 * Rejects characters that would end the path inside an expression. All other checks are left to the
 * hub.
 */
function assertPath(path: string): void {
  if (!/[(),\s"']/.test(path)) return
  throw new AppError('HUB-QRY-004', `${JSON.stringify(path)} is not a path of a field.`, {
    hint: 'describe_dataset has the paths; write longer conditions in filter.',
  })
}
