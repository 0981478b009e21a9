import type { Definition } from '../definition/definition.ts'
import type { LoadedMapping } from '../definition/loaded-mapping.ts'
import { centroid, inBox, point } from '../functions/geometry.ts'
import { hashOf, idMaker, uuid5 } from '../functions/ids.ts'
import { lookupAtIn, lookupIn, toTables } from '../functions/lookup.ts'
import { toSeconds } from '../functions/duration.ts'
import { clamp, toNumber } from '../functions/numbers.ts'
import { dayEndReader, noHours, timeReader } from '../functions/time.ts'
import type { Hours } from '../functions/time.ts'
import { compileExpression } from './expression.ts'
import type { Expression, Functions } from './expression.ts'

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

/** The members of a definition that are expressions. */
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

/** How long the expressions of a mapping may take, and how deep they may go. */
export function limitsOf({ limits = {} }: Definition) {
  const { seconds = 30, itemSeconds = 1, depth = 300 } = limits
  return { seconds, itemSeconds: Math.min(itemSeconds, seconds), depth }
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
