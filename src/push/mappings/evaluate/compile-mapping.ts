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

/** An expression, compiled once and evaluated often, but never concurrently. */
export type Expression = {
  /** @throws ExpressionFault with a reason */
  readonly evaluate: (input: unknown) => Promise<unknown>
  readonly assign: (variables: Variables) => void
}

/** Maximum length of a sequence, beyond which an expression fails. */
const maxMembers = 2_000_000

/**
 * Compiles JSONata. Functions that would run texts of a payload as expressions, or give another
 * result each time, are not offered, so that a replayed message gives the same result.
 * @throws SyntaxFault
 */
export function compileExpression(
  text: string,
  functions: Functions,
  { milliseconds, depth }: ExpressionLimits,
): Expression {
  const compiled = parse(text, { timeout: milliseconds, stack: depth, sequence: maxMembers })
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

/** Functions that always fail, so that a replayed message gives the same result. */
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

/** Maximum characters of a reason in a receipt. */
const longest = 500

/**
 * Returns the message of an error. JSONata throws objects that are not errors, with `message` and
 * the offset after the token.
 */
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

/** Checks of a payload and of its items by the mapping's schemas. */
export type Payload = {
  readonly payloadFaults: (payload: unknown) => readonly SchemaFault[]
  readonly itemFaults: (item: unknown) => readonly SchemaFault[]
}

type Schema = Readonly<Record<string, unknown>>

const none = () => []

/** Maximum number of faults per payload or item. A sender who corrects them sends it again. */
const maxFaults = 10

const compiled = new WeakMap<LoadedMapping, Promise<Payload>>()

/**
 * Returns the compiled schemas of a mapping. They are compiled once, and the validator is loaded
 * only if there are any.
 */
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

/**
 * Returns a function that returns the faults of a value.
 * @throws Error if the schema is not a JSON Schema
 */
export async function compileSchema(
  schema: Schema,
): Promise<(value: unknown) => readonly SchemaFault[]> {
  const { Compile } = await import('typebox/schema')
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return []
    const [, errors] = validator.Errors(value)
    return errors.slice(0, maxFaults).map(({ instancePath, message }) => ({
      pointer: instancePath,
      reason: `breaks the schema of the payload: ${message}`,
    }))
  }
}

/** The expressions of a mapping, ready to run. */
export type CompiledMapping = {
  readonly mapping: LoadedMapping
  /** State of `$time` for the message that is being evaluated. */
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

/** Returns the text of an expression, or undefined if the mapping has none. */
export function expressionAt(
  { merge, ...definition }: Definition,
  [name, member]: ExpressionPath,
): string | undefined {
  return name === 'merge' ? merge?.[member] : definition[name]
}

/**
 * Compiles the expressions of a mapping.
 * @throws SyntaxFault
 */
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

/** Returns the functions that a mapping's expressions may call in addition to those of JSONata. */
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

/**
 * Implements `$point(longitude, latitude)`: returns a position, longitude first, or nothing if one
 * of the two is missing.
 */
export function point(longitude: unknown, latitude: unknown): Position | undefined {
  const [x, y] = [toNumber(longitude), toNumber(latitude)]
  if (x === undefined || y === undefined) return undefined
  if (Math.abs(x) <= 180 && Math.abs(y) <= 90) return [x, y]
  throw new ExpressionFault(
    `$point takes longitude, then latitude; ${shown(longitude)}, ${shown(latitude)} is out of range`,
  )
}

/**
 * Implements `$centroid(positions)`: returns the mean of positions, such as those of the bays of a
 * parking place.
 */
export function centroid(positions: unknown): Position | undefined {
  const all = (Array.isArray(positions) ? positions : [positions]).filter(isPosition)
  if (all.length === 0) return undefined
  const mean = (axis: 0 | 1) => all.reduce((sum, one) => sum + one[axis], 0) / all.length
  return [mean(0), mean(1)]
}

/**
 * Implements `$inBox(position, [west, south, east, north])`: reports whether it is inside or on the
 * edge.
 */
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
 * Implements `$num(value, decimal?)`: parses numbers and the texts that providers write, such as
 * `12,5`, `1.234,56`, `1 234.56` and `1'234`. Of two different separators the last one is the
 * decimal separator; so is a single one, whether comma or point; `decimal` can state which of the
 * two it is. The other one may only group thousands: with decimal commas, `12.5` is not a number,
 * rather than 125. Blank and null give nothing.
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

/**
 * Rewrites a number with a decimal point and without grouping. Returns `?` if it is not a number.
 */
function normalise(text: string, decimal: unknown): string {
  const joined = text.replace(/(\d)[ '\u00A0\u202F\u2019](?=\d{3})/g, '$1')
  const isDeclared = decimal === ',' || decimal === '.'
  const mark = isDeclared ? decimal : lastMark(joined)
  const grouping = mark === ',' ? '.' : ','
  if (joined.includes(grouping) && !inThousands[grouping].test(joined)) return '?'
  const bare = joined.replaceAll(grouping, '').replace(mark, '.')
  return plain.test(bare) ? bare : '?'
}

const inThousands = {
  '.': /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/,
  ',': /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/,
}

/** Returns the decimal separator. One that occurs twice cannot be it. */
function lastMark(text: string): ',' | '.' {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')]
  if (point === -1) return text.indexOf(',') === comma ? ',' : '.'
  if (comma === -1) return text.indexOf('.') === point ? '.' : ','
  return comma > point ? ',' : '.'
}

/**
 * Implements `$clamp(value, least, most)`: limits a number to two bounds, of which either may be
 * missing.
 */
export function clamp(value: unknown, least: unknown, most: unknown): number | undefined {
  const number = toNumber(value)
  if (number === undefined) return undefined
  const [low, high] = [toNumber(least) ?? -Infinity, toNumber(most) ?? Infinity]
  return Math.min(Math.max(number, low), high)
}
