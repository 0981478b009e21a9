import jsonata from 'jsonata'
import type { Complain } from '../../../definitions/index.ts'
import { nearest, suggest } from '../../../lang/index.ts'
import { fieldsOf } from '../../../lang/json.ts'
import {
  compileExpression,
  expressionAt,
  expressionPaths,
  functionsOf,
  withheld,
} from '../evaluate/compile-mapping.ts'
import { SyntaxFault } from '../faults.ts'
import { limitsOf } from './definition.ts'
import type { LoadedMapping } from './definition.ts'

/** A function that an expression calls, or passes to another function to call. */
type Call = {
  readonly name: string
  /** The first argument, if it is a string. */
  readonly argument: string | undefined
  /** Position of the name in the text of the expression, counted from 0. */
  readonly offset: number
}

type Calls = {
  readonly calls: readonly Call[]
  /** Names that the expression itself binds, to functions or to values. */
  readonly bound: ReadonlySet<string>
}

/** Functions of JSONata that accept a function. */
const higher = new Set(['each', 'filter', 'map', 'reduce', 'sift', 'single', 'sort'])

/** Finds the functions that an expression needs, in the syntax tree of JSONata. */
function callsIn(ast: unknown): Calls {
  const calls: Call[] = []
  const bound = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const name of namesBoundBy(node)) bound.add(name)
    calls.push(...callsOf(node))
    for (const child of Object.values(node)) visit(child)
  }
  visit(ast)
  return { calls, bound }
}

/**
 * Returns the names that a node binds: `$f := …`, `function($f) {…}`, and steps of paths: `a@$f`,
 * `a#$f`.
 */
function namesBoundBy(node: object): readonly string[] {
  const { type, lhs, arguments: parameters, focus, index } = fieldsOf(node)
  if (type === 'bind') return [valueOf(lhs) ?? '']
  if (type === 'lambda') return listOf(parameters).map((one) => valueOf(one) ?? '')
  return [focus, index].filter((name) => typeof name === 'string')
}

/** Returns what a node itself calls: `$f(…)`, `… ~> $f`, and `$f` in `$map(…, $f)`. */
function callsOf(node: object): readonly Call[] {
  const { type, value, rhs, procedure, arguments: written } = fieldsOf(node)
  if (type === 'apply') return namedBy(rhs)
  if ((type !== 'function' && type !== 'partial') || value !== '(') return []
  const given = listOf(written)
  const [first] = given
  const argument = fieldsOf(first)['type'] === 'string' ? valueOf(first) : undefined
  const called = namedBy(procedure).map((call) => ({ ...call, argument }))
  // In a chain (`… ~> $map($f)`) the function is the first argument.
  const isHigher = called.some(({ name }) => higher.has(name))
  return isHigher ? [...called, ...given.slice(0, 2).flatMap(namedBy)] : called
}

/** Returns a variable as a function that is called. */
function namedBy(node: unknown): readonly Call[] {
  const { type, value, position } = fieldsOf(node)
  if (type !== 'variable' || typeof value !== 'string') return []
  // JSONata reports the position after the name, which has a $ before it.
  const end = typeof position === 'number' ? position : 0
  return [{ name: value, argument: undefined, offset: Math.max(0, end - value.length - 1) }]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function valueOf(node: unknown): string | undefined {
  const { value } = fieldsOf(node)
  return typeof value === 'string' ? value : undefined
}

type Checked = Pick<LoadedMapping, 'definition' | 'tables'>

/** Variables that the hub sets, in addition to functions. */
const given = ['payload', 'message', 'index', 'now', 'millis']

/**
 * Checks the expressions of a mapping without data: for syntax errors, functions that do not exist
 * or are not offered, and names of tables and rules that do not exist.
 */
export async function checkExpressions(mapping: Checked, complain: Complain): Promise<void> {
  const functions = functionsOf(mapping)
  const { seconds, depth } = limitsOf(mapping.definition)
  for (const path of expressionPaths) {
    const text = expressionAt(mapping.definition, path)
    if (text === undefined) continue
    try {
      compileExpression(text, functions, { milliseconds: seconds * 1000, depth })
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error
      complain(path, error.message, error.offset)
      continue
    }
    for (const { reason, offset } of await callFaults(text, mapping)) complain(path, reason, offset)
  }
}

type CallFault = { readonly reason: string; readonly offset: number }

async function callFaults(text: string, mapping: Checked): Promise<readonly CallFault[]> {
  const own = Object.keys(functionsOf(mapping))
  const { calls, bound } = callsIn(jsonata(text).ast())
  const faults: CallFault[] = []
  for (const { name, argument, offset } of calls) {
    const isKnown = own.includes(name) || given.includes(name) || bound.has(name)
    if (!isKnown && Object.hasOwn(withheld, name)) {
      faults.push({ reason: `the function $${name} is not offered in mappings`, offset })
    } else if (!isKnown && (await isUnknown(name))) {
      const meant = nearest(name, [...own, ...common])
      const hint = meant === undefined ? '' : `; did you mean $${meant}?`
      faults.push({ reason: `there is no function $${name}${hint}`, offset })
    }
    const reason = argument === undefined ? undefined : argumentFault(name, argument, mapping)
    if (reason !== undefined) faults.push({ reason, offset })
  }
  return faults
}

/** Functions of JSONata to suggest for a misspelled name. */
const common = (
  'number string substring substringBefore substringAfter lowercase uppercase trim contains split ' +
  'join match replace round floor sum max min average count append exists keys merge each map ' +
  'filter single sort reduce sift distinct error boolean not type fromMillis toMillis'
).split(' ')

async function isUnknown(name: string): Promise<boolean> {
  const value: unknown = await jsonata(`$${name}`).evaluate({})
  return value === undefined
}

function argumentFault(name: string, argument: string, mapping: Checked): string | undefined {
  if (name === 'lookup' || name === 'lookupAt') {
    return missing('table', argument, Object.keys(mapping.definition.tables ?? {}))
  }
  return name === 'id'
    ? missing('rule in ids', argument, Object.keys(mapping.definition.ids ?? {}))
    : undefined
}

function missing(what: string, name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return undefined
  const hint = suggest(name, names, `known: ${names.join(', ') || 'none'}`)
  return `there is no ${what} ${JSON.stringify(name)}; ${hint}`
}
