import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { exactly } from '../../../lang/schemas.ts'
import { schemaIssues } from '../../../errors/index.ts'
import { nearest, suggest } from '../../../lang/index.ts'
import { fieldsOf } from '../../../lang/json.ts'
import { CsvDialect, FixedWidth } from './csv.ts'
import { MemberPath, charset, isCharset } from './text.ts'
import { XmlOptions } from './xml.ts'
import { Packet } from './zip.ts'

const Text = exactly({ charset: Type.Optional(charset) })

/** Name of a step, which stands for the step with its default options. */
export const BareStep = Type.Enum([
  'json',
  'ndjson',
  'csv',
  'xml',
  'xml-rpc',
  'gzip',
  'base64',
  'hex',
  'text',
])
export type BareStep = Static<typeof BareStep>

/** Options of the steps that decode the whole result of the step before them. */
const plainOptions = {
  json: Text,
  ndjson: Text,
  csv: CsvDialect,
  xml: XmlOptions,
  'xml-rpc': Text,
  text: Text,
  'fixed-width': FixedWidth,
  packet: Packet,
}

const PlainStep = Type.Union([
  BareStep,
  exactly({ json: plainOptions.json }),
  exactly({ ndjson: plainOptions.ndjson }),
  exactly({ csv: plainOptions.csv }),
  exactly({ xml: plainOptions.xml }),
  exactly({ 'xml-rpc': plainOptions['xml-rpc'] }),
  exactly({ text: plainOptions.text }),
  exactly({ 'fixed-width': plainOptions['fixed-width'] }),
  exactly({ packet: plainOptions.packet }),
])
export type PlainStep = Static<typeof PlainStep>

const maxInside = 8

const zipFiles = Type.Record(Type.String(), Type.Array(PlainStep, { maxItems: maxInside }), {
  description: 'Files of the archive by name, each with the steps that decode it',
})

const stepsInside = Type.Array(PlainStep, { minItems: 1, maxItems: maxInside })

/** A step in decoding the bytes of a payload to a JSON value. */
export const DecodeStep = Type.Union([
  PlainStep,
  exactly({ zip: zipFiles }),
  exactly({ at: MemberPath, steps: stepsInside }),
  exactly({ 'json-text': MemberPath }),
])
export type DecodeStep = Static<typeof DecodeStep>

/** Schema of the options of each step, by name, so that faults can be about the intended step. */
const stepOptions = { ...plainOptions, zip: zipFiles, 'json-text': MemberPath }

/** Fault of a step as it is written in a mapping, with its path inside the step. */
type WrittenFault = {
  readonly path: readonly (string | number)[]
  readonly reason: string
}

const step = Compile(DecodeStep)
const bare: readonly string[] = BareStep.enum
const options: ReadonlyMap<string, TSchema> = new Map(Object.entries(stepOptions))
const names = [...new Set([...bare, ...options.keys(), 'at'])]

/**
 * Returns why something is not a step. A schema of many forms reports for each why it does not
 * match; this reports what is wrong with the intended one.
 */
export function stepFaults(written: unknown): readonly WrittenFault[] {
  if (step.Check(written)) return []
  const found = [...faultsOf(written)]
  return found.length > 0 ? found : [{ path: [], reason: 'is not valid here' }]
}

function* faultsOf(written: unknown): Iterable<WrittenFault> {
  if (typeof written === 'string') {
    if (!bare.includes(written)) yield { path: [], reason: nameFault(written) }
    return
  }
  const members = Object.entries(fieldsOf(written))
  const [only, ...more] = members
  if (only === undefined) {
    yield { path: [], reason: `is not a step; steps are ${names.join(', ')}` }
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
  else if (
    name === 'zip' &&
    Object.entries(fieldsOf(value)).every(([, steps]) => Array.isArray(steps))
  ) {
    for (const [file, steps] of Object.entries(fieldsOf(value))) yield* within(['zip', file], steps)
  } else yield* issuesOf(schema, value, [name])
}

function* atFaults(members: readonly Member[]): Iterable<WrittenFault> {
  for (const [name, value] of members) {
    if (name === 'at') yield* issuesOf(MemberPath, value, ['at'])
    else if (name !== 'steps') yield { path: [name], reason: 'is not a known field of at' }
  }
  const steps = members.find(([name]) => name === 'steps')
  if (steps === undefined) yield { path: [], reason: 'needs steps, which decode the field' }
  else yield* within(['steps'], steps[1])
}

/** Yields the faults of steps inside a step, which may not contain steps themselves. */
function* within(path: readonly string[], steps: unknown): Iterable<WrittenFault> {
  if (!Array.isArray(steps) || steps.length === 0) {
    yield { path, reason: 'must be a list of steps' }
    return
  }
  const list: readonly unknown[] = steps
  for (const [index, one] of list.entries()) {
    const at = [...path, index]
    const hasSteps = Object.keys(fieldsOf(one)).some((name) =>
      ['at', 'zip', 'json-text'].includes(name),
    )
    if (hasSteps) yield { path: at, reason: 'must be a step without steps inside' }
    else for (const fault of stepFaults(one)) yield { ...fault, path: [...at, ...fault.path] }
  }
}

function* issuesOf(schema: TSchema, value: unknown, at: readonly string[]): Iterable<WrittenFault> {
  for (const { pointer, detail, expected } of schemaIssues(Compile(schema).Errors(value))) {
    const path = [...at, ...pointer.split('/').slice(1)]
    const allowed = expected === undefined ? '' : ` (allowed: ${expected.join(', ')})`
    const known = 'properties' in schema ? Object.keys(fieldsOf(schema.properties)) : []
    const isUnknown = detail.includes('not a known field')
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
      : `is ${name}, which has no options`
  }
  const hint = suggest(name, names, `steps are ${names.join(', ')}`)
  return `is ${JSON.stringify(name)}, which is not a step; ${hint}`
}

/** Fault of a step that its schema cannot express. */
type StepFault = {
  /** Position of the step, counted from 0. */
  readonly index: number
  readonly reason: string
}

/**
 * Form of the result of a step. `value` is a list or an object, `any` is any JSON value: it may be
 * a string, which can be decoded further.
 */
type Form = 'bytes' | 'text' | 'value' | 'any'

/**
 * Returns the faults of the steps of a mapping: charsets, dialects, and steps that cannot decode
 * the result of the one before.
 */
export function checkSteps(steps: readonly DecodeStep[]): readonly StepFault[] {
  const faults: StepFault[] = []
  let form: Form = 'bytes'
  for (const [index, step] of steps.entries()) {
    const reasons = [orderFault(form, step), ...stepOptionFaults(step)]
    for (const reason of reasons) if (reason !== undefined) faults.push({ index, reason })
    form = formAfter(step)
  }
  if (form === 'bytes') {
    const reason = 'The last step must give a value; add one that decodes the bytes, such as json.'
    faults.push({ index: Math.max(0, steps.length - 1), reason })
  }
  return faults
}

function orderFault(form: Form, step: DecodeStep): string | undefined {
  const isInside = typeof step !== 'string' && ('at' in step || 'json-text' in step)
  if (isInside && form !== 'value' && form !== 'any') {
    return 'A field can be decoded only after a step that decodes the payload, such as json.'
  }
  return !isInside && form === 'value'
    ? `${nameOf(step)} needs bytes or a text, but the step before it gives a value.`
    : undefined
}

function formAfter(step: DecodeStep): Form {
  switch (nameOf(step)) {
    case 'gzip':
    case 'base64':
    case 'hex':
      return 'bytes'
    case 'text':
      return 'text'
    case 'json':
    case 'xml-rpc':
      return 'any'
    default:
      return 'value'
  }
}

export function nameOf(step: DecodeStep): string {
  if (typeof step === 'string') return step
  return 'at' in step ? 'at' : Object.keys(step).join()
}

function stepOptionFaults(step: DecodeStep): readonly (string | undefined)[] {
  if (typeof step === 'string' || 'json-text' in step) return []
  if ('packet' in step) return []
  if ('at' in step) return innerFaults(step.steps)
  if ('zip' in step) return Object.values(step.zip).flatMap(innerFaults)
  const [options] = Object.values(step)
  return [
    charsetFault(options?.charset),
    'csv' in step ? quoteFault(step.csv) : undefined,
    ...('fixed-width' in step ? columnFaults(step['fixed-width'].columns) : []),
  ]
}

const innerFaults = (steps: readonly PlainStep[]): readonly string[] =>
  checkSteps(steps).map(({ index, reason }) => `Inside, step ${String(index + 1)}: ${reason}`)

function charsetFault(label: string | undefined): string | undefined {
  return label === undefined || isCharset(label)
    ? undefined
    : `There is no charset ${label}; known are UTF-8, ISO-8859-1, ISO-8859-15, windows-1252, UTF-16LE …`
}

type Quoting = { readonly quote?: string | false; readonly delimiter?: string }

function quoteFault({ quote = '"', delimiter = ',' }: Quoting): string | undefined {
  return quote !== false && delimiter.includes(quote)
    ? 'quote and delimiter of a CSV dialect must differ.'
    : undefined
}

function columnFaults(
  columns: Readonly<Record<string, readonly [first: number, last: number]>>,
): readonly string[] {
  return Object.entries(columns)
    .filter(([, [first, last]]) => first > last)
    .map(([name]) => `The end of the column ${name} is before its start.`)
}
