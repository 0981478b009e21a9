import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { schemaIssues } from '../../../errors/index.ts'
import { nearest } from '../../../lang/index.ts'
import { MemberPath } from './at-path.ts'
import { BareStep, DecodeStep, stepOptions } from './steps.ts'

/** What is wrong with a step as it is written, and where inside of it. */
export type WrittenFault = {
  readonly path: readonly (string | number)[]
  readonly reason: string
}

const step = Compile(DecodeStep)
const bare: readonly string[] = BareStep.enum
const options: ReadonlyMap<string, TSchema> = new Map(Object.entries(stepOptions))
const names = [...new Set([...bare, ...options.keys(), 'at'])]

/**
 * Why something is no step. A schema of many forms says of each why it is not that one; this says what
 * is wrong with the one that is meant.
 */
export function stepFaults(written: unknown): readonly WrittenFault[] {
  if (step.Check(written)) return []
  const found = [...faultsOf(written)]
  return found.length > 0 ? found : [{ path: [], reason: 'cannot stand here' }]
}

function* faultsOf(written: unknown): Iterable<WrittenFault> {
  if (typeof written === 'string') {
    if (!bare.includes(written)) yield { path: [], reason: nameFault(written) }
    return
  }
  const members = membersOf(written)
  const [only, ...more] = members
  if (only === undefined) {
    yield { path: [], reason: `is no step; steps are ${names.join(', ')}` }
  } else if (members.some(([name]) => name === 'at')) yield* atFaults(members)
  else if (more.length > 0) {
    const all = members.map(([name]) => name).join(', ')
    yield { path: [], reason: `must be one step, but names ${all}; write each by itself` }
  } else yield* optionFaults(only)
}

type Member = readonly [name: string, value: unknown]

function* optionFaults([name, value]: Member): Iterable<WrittenFault> {
  const schema = options.get(name)
  if (schema === undefined) yield { path: [], reason: nameFault(name) }
  else if (name === 'zip' && membersOf(value).every(([, steps]) => Array.isArray(steps))) {
    for (const [file, steps] of membersOf(value)) yield* within(['zip', file], steps)
  } else yield* issuesOf(schema, value, [name])
}

function* atFaults(members: readonly Member[]): Iterable<WrittenFault> {
  for (const [name, value] of members) {
    if (name === 'at') yield* issuesOf(MemberPath, value, ['at'])
    else if (name !== 'steps') yield { path: [name], reason: 'is not a known member of at' }
  }
  const steps = members.find(([name]) => name === 'steps')
  if (steps === undefined) yield { path: [], reason: 'needs steps, which decode the member' }
  else yield* within(['steps'], steps[1])
}

/** Of steps inside of a step, which may hold no steps themselves. */
function* within(path: readonly string[], steps: unknown): Iterable<WrittenFault> {
  if (!Array.isArray(steps) || steps.length === 0) {
    yield { path, reason: 'must be a list of steps' }
    return
  }
  const list: readonly unknown[] = steps
  for (const [index, one] of list.entries()) {
    const at = [...path, index]
    const hasSteps = membersOf(one).some(([name]) => ['at', 'zip', 'json-text'].includes(name))
    if (hasSteps) yield { path: at, reason: 'must be a step without steps inside' }
    else for (const fault of stepFaults(one)) yield { ...fault, path: [...at, ...fault.path] }
  }
}

function* issuesOf(schema: TSchema, value: unknown, at: readonly string[]): Iterable<WrittenFault> {
  for (const { pointer, detail, expected } of schemaIssues(Compile(schema).Errors(value))) {
    const path = [...at, ...pointer.split('/').slice(1)]
    const allowed = expected === undefined ? '' : ` (allowed: ${expected.join(', ')})`
    const known = 'properties' in schema ? membersOf(schema.properties).map(([name]) => name) : []
    const isUnknown = detail.includes('not a known member')
    const meant = isUnknown ? nearest(path.at(-1) ?? '', known) : undefined
    yield {
      path,
      reason: `${detail}${allowed}${meant === undefined ? '' : `. Did you mean ${meant}?`}`,
    }
  }
}

function nameFault(name: string): string {
  if (names.includes(name)) {
    return options.has(name) || name === 'at'
      ? `is ${name}, which needs options`
      : `is ${name}, which takes none`
  }
  const meant = nearest(name, names)
  const hint = meant === undefined ? `steps are ${names.join(', ')}` : `did you mean ${meant}?`
  return `is ${JSON.stringify(name)}, which is no step; ${hint}`
}

function membersOf(value: unknown): readonly Member[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : []
}
