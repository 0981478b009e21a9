import jsonata from 'jsonata'
import { limitsOf } from '../definition/definition.ts'
import type { Definition, LoadedMapping } from '../definition/definition.ts'
import { ExpressionFault, SyntaxFault } from '../faults.ts'
import { dayEndReader, noHours, timeReader } from '../functions/time.ts'
import type { Hours } from '../functions/time.ts'
import {
  hashOf,
  idMaker,
  isNothing,
  lookupAtIn,
  lookupIn,
  shown,
  textOf,
  toSeconds,
  toTables,
  uuid5,
} from '../functions/values.ts'

type ExpressionLimits = { readonly milliseconds: number; readonly depth: number }

type Variables = Readonly<Record<string, unknown>>

/** Functions by their names, without the `$`. */
type Functions = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>

/** An expression, compiled once and evaluated often; never two times at once. */
export type Expression = {
  /** @throws ExpressionFault with a reason */
  readonly evaluate: (input: unknown) => Promise<unknown>
  readonly assign: (variables: Variables) => void
}

/** Results of more fields are not collected. */
const mostMembers = 2_000_000

/**
 * Compiles JSONata. What would run texts of a payload as expressions, or give another result each time,
 * is not offered: a message that is replayed gives the same again.
 * @throws SyntaxFault
 */
export function compileExpression(
  text: string,
  functions: Functions,
  { milliseconds, depth }: ExpressionLimits,
): Expression {
  const compiled = parse(text, { timeout: milliseconds, stack: depth, sequence: mostMembers })
  for (const [name, implementation] of Object.entries({ ...withheld, ...functions })) {
    compiled.registerFunction(name, implementation)
  }
  return {
    evaluate: async (input) => {
      try {
        const result: unknown = await compiled.evaluate(input)
        return result
      } catch (error) {
        throw new ExpressionFault(explain(error, text))
      }
    },
    assign: (variables) => {
      for (const [name, value] of Object.entries(variables)) compiled.assign(name, value)
    },
  }
}

/** Always fail: a message that is replayed becomes the same again. */
export const withheld: Functions = {
  eval: () => refuse('$eval'),
  random: () => refuse('$random'),
  shuffle: () => refuse('$shuffle'),
}

function refuse(name: string): never {
  throw new ExpressionFault(`${name} is not available in mappings`)
}

function parse(text: string, options: jsonata.JsonataOptions): jsonata.Expression {
  try {
    return jsonata(text, options)
  } catch (error) {
    throw new SyntaxFault(messageOf(error), offsetOf(error) ?? 0)
  }
}

function explain(error: unknown, text: string): string {
  const offset = offsetOf(error)
  const place = offset === undefined ? '' : `${placeIn(text, offset)}: `
  return `${place}${messageOf(error)}`
}

/** Characters of a reason in a receipt. */
const longest = 500

/** JSONata throws objects that are not errors, with `message` and the offset behind the token. */
function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error)
  const text = String(error.message)
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… (${String(text.length)} characters)`
}

function offsetOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('position' in error)) return undefined
  return typeof error.position === 'number' ? Math.max(0, error.position - 1) : undefined
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${String(lines.length)}, column ${String((lines.at(-1)?.length ?? 0) + 1)}`
}

type SchemaFault = { readonly reason: string; readonly pointer: string }

/** What is wrong with a payload and with its items, as the mapping's schemas have it. */
export type Payload = {
  readonly payloadFaults: (payload: unknown) => readonly SchemaFault[]
  readonly itemFaults: (item: unknown) => readonly SchemaFault[]
}

type Schema = Readonly<Record<string, unknown>>

const none = () => []

/** Maximum for one payload; a sender who corrects it sends it again. */
const mostFaults = 10

const compiled = new WeakMap<LoadedMapping, Promise<Payload>>()

/** Compiled once for each mapping; without schemas nothing is loaded that checks them. */
export function payloadSchemas(mapping: LoadedMapping): Promise<Payload> {
  const before = compiled.get(mapping)
  if (before !== undefined) return before
  const schemas = compileBoth(mapping)
  compiled.set(mapping, schemas)
  return schemas
}

async function compileBoth({ schema, itemSchema }: LoadedMapping): Promise<Payload> {
  return {
    payloadFaults: schema === undefined ? none : await compileSchema(schema),
    itemFaults: itemSchema === undefined ? none : await compileSchema(itemSchema),
  }
}

/** @throws Error when it is not a JSON Schema */
export async function compileSchema(
  schema: Schema,
): Promise<(value: unknown) => readonly SchemaFault[]> {
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return []
    const [, errors] = validator.Errors(value)
    return errors.slice(0, mostFaults).map(({ instancePath, message }) => ({
      pointer: instancePath,
      reason: `breaks the schema of the payload: ${message}`,
    }))
  }
}

/** The expressions of a mapping, ready to run. */
export type CompiledMapping = {
  readonly mapping: LoadedMapping
  /** Of the message that is evaluated. */
  readonly hours: Hours
  readonly before: Expression | undefined
  readonly items: Expression | undefined
  readonly each: Expression
  readonly merge: { readonly by: Expression; readonly language: Expression | undefined } | undefined
}

/** The fields of a definition that are expressions. */
export const expressionPaths = [
  ['before'],
  ['items'],
  ['each'],
  ['merge', 'by'],
  ['merge', 'language'],
] as const

type ExpressionPath = (typeof expressionPaths)[number]

/** The text of an expression; undefined when the mapping has none. */
export function expressionAt(
  { merge, ...definition }: Definition,
  [name, member]: ExpressionPath,
): string | undefined {
  return name === 'merge' ? merge?.[member] : definition[name]
}

/** @throws SyntaxFault */
export function compileMapping(mapping: LoadedMapping): CompiledMapping {
  const { definition } = mapping
  const hours = noHours()
  const functions = functionsOf(mapping, hours)
  const { seconds, itemSeconds, depth } = limitsOf(definition)
  const compile = (text: string, allowed: number) =>
    compileExpression(text, functions, { milliseconds: allowed * 1000, depth })
  const optional = (text: string | undefined, allowed: number) =>
    text === undefined ? undefined : compile(text, allowed)
  const { merge } = definition
  return {
    mapping,
    hours,
    before: optional(definition.before, seconds),
    items: optional(definition.items, seconds),
    each: compile(definition.each, itemSeconds),
    merge:
      merge === undefined
        ? undefined
        : { by: compile(merge.by, itemSeconds), language: optional(merge.language, itemSeconds) },
  }
}

/** What a mapping's expressions may call beside the functions of JSONata. */
export function functionsOf(
  { definition, tables }: Pick<LoadedMapping, 'definition' | 'tables'>,
  hours?: Hours,
): Functions {
  const known = toTables(tables)
  return {
    lookup: lookupIn(known),
    lookupAt: lookupAtIn(known),
    time: timeReader(definition.times ?? {}, hours),
    dayEnd: dayEndReader(definition.times ?? {}),
    duration: toSeconds,
    id: idMaker(definition.ids ?? {}),
    uuid5,
    hash: hashOf,
    num: toNumber,
    clamp,
    point,
    centroid,
    inBox,
  }
}

type Position = readonly [longitude: number, latitude: number]

/** `$point(longitude, latitude)`: a position, longitude first; nothing when one of the two is missing. */
export function point(longitude: unknown, latitude: unknown): Position | undefined {
  const [x, y] = [toNumber(longitude), toNumber(latitude)]
  if (x === undefined || y === undefined) return undefined
  if (Math.abs(x) <= 180 && Math.abs(y) <= 90) return [x, y]
  throw new ExpressionFault(
    `$point takes longitude, then latitude; ${shown(longitude)}, ${shown(latitude)} is nowhere`,
  )
}

/** `$centroid(positions)`: the mean of positions, as of the bays of a parking place. */
export function centroid(positions: unknown): Position | undefined {
  const all = (Array.isArray(positions) ? positions : [positions]).filter(isPosition)
  if (all.length === 0) return undefined
  const mean = (axis: 0 | 1) => all.reduce((sum, one) => sum + one[axis], 0) / all.length
  return [mean(0), mean(1)]
}

/** `$inBox(position, [west, south, east, north])`: whether it is inside, or on the edge. */
export function inBox(position: unknown, box: unknown): boolean | undefined {
  if (!isPosition(position)) return undefined
  const [west, south, east, north] = Array.isArray(box) ? box.map((side) => toNumber(side)) : []
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    throw new ExpressionFault('$inBox takes a position and [west, south, east, north]')
  }
  const [x, y] = position
  return x >= west && x <= east && y >= south && y <= north
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number'
}

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i

/**
 * A number from what providers write: numbers and texts such as `12,5`, `1.234,56`, `1 234.56` and
 * `1'234`. The last of two different separators is that of the decimals; a single one is, whether comma
 * or point. Where `decimal` says which of the two it is, the other one only parts thousands: `12.5` with decimal
 * commas is not a number, rather than 125. Blank and null are nothing.
 * @throws ExpressionFault for anything that is not a number
 */
export function toNumber(value: unknown, decimal?: unknown): number | undefined {
  if (isNothing(value)) return undefined
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = textOf(value, 'num').trim()
  if (text === '') return undefined
  const number = Number(normalise(text, decimal))
  if (Number.isFinite(number)) return number
  throw new ExpressionFault(`${shown(value)} is not a valid number`)
}

/** The same with a point before the decimals and nothing between thousands; `?` for what is neither. */
function normalise(text: string, decimal: unknown): string {
  const joined = text.replace(/(\d)[ '\u00A0\u202F\u2019](?=\d{3})/g, '$1')
  const isDeclared = decimal === ',' || decimal === '.'
  const mark = isDeclared ? decimal : lastMark(joined)
  const grouping = mark === ',' ? '.' : ','
  if (isDeclared && joined.includes(grouping) && !inThousands[grouping].test(joined)) return '?'
  const bare = joined.replaceAll(grouping, '').replace(mark, '.')
  return plain.test(bare) ? bare : '?'
}

const inThousands = {
  '.': /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/,
  ',': /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/,
}

/** A mark that comes twice cannot be that of the decimals. */
function lastMark(text: string): ',' | '.' {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')]
  if (point === -1) return text.indexOf(',') === comma ? ',' : '.'
  if (comma === -1) return text.indexOf('.') === point ? '.' : ','
  return comma > point ? ',' : '.'
}

/** A number between two bounds; either may be nothing. */
export function clamp(value: unknown, least: unknown, most: unknown): number | undefined {
  const number = toNumber(value)
  if (number === undefined) return undefined
  const [low, high] = [toNumber(least) ?? -Infinity, toNumber(most) ?? Infinity]
  return Math.min(Math.max(number, low), high)
}
