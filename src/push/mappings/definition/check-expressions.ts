import jsonata from 'jsonata'
import { nearest } from '../../../lang/index.ts'
import {
  expressionAt,
  expressionPaths,
  functionsOf,
  limitsOf,
} from '../evaluate/compile-mapping.ts'
import { SyntaxFault } from '../faults.ts'
import type { Complain } from '../faults.ts'
import { compileExpression } from '../evaluate/expression.ts'
import { callsIn } from './calls.ts'
import type { LoadedMapping } from './loaded-mapping.ts'

type Checked = Pick<LoadedMapping, 'definition' | 'tables'>

/** Variables that the hub sets, in addition to functions. */
const given = ['payload', 'message', 'index', 'now', 'millis']

/** Functions of JSONata that always fail in a mapping: a message that is replayed becomes the same again. */
const withheld = ['eval', 'random', 'shuffle']

/**
 * Finds what is wrong with the expressions of a mapping without data: faults of syntax, functions that do
 * not exist or are not offered, names of tables and rules that do not exist.
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
    if (!isKnown && withheld.includes(name)) {
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

/** Functions of JSONata that are often meant. */
const common = [
  ...[
    'number',
    'string',
    'substring',
    'substringBefore',
    'substringAfter',
    'lowercase',
    'uppercase',
  ],
  ...[
    'trim',
    'contains',
    'split',
    'join',
    'match',
    'replace',
    'round',
    'floor',
    'sum',
    'max',
    'min',
  ],
  ...[
    'average',
    'count',
    'append',
    'exists',
    'keys',
    'merge',
    'each',
    'map',
    'filter',
    'single',
    'sort',
  ],
  ...['reduce', 'sift', 'distinct', 'error', 'boolean', 'not', 'type', 'fromMillis', 'toMillis'],
]

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
  const meant = nearest(name, names)
  const hint =
    meant === undefined ? `known: ${names.join(', ') || 'none'}` : `did you mean ${meant}?`
  return `there is no ${what} ${JSON.stringify(name)}; ${hint}`
}
