import type { DecodeStep, PlainStep } from './steps.ts'
import { isCharset } from './text.ts'

/** What is wrong with a step, which its schema cannot see. */
export type StepFault = {
  /** Of the step, from 0. */
  readonly index: number
  readonly reason: string
}

/**
 * What a step leaves to the next one. `value` is a list or an object, `any` what JSON may be: a value
 * or a text that can be decoded further.
 */
type Form = 'bytes' | 'text' | 'value' | 'any'

/** What is wrong with the steps of a mapping: charsets, dialects, steps that no payload can go through. */
export function checkSteps(steps: readonly DecodeStep[]): readonly StepFault[] {
  const faults: StepFault[] = []
  let form: Form = 'bytes'
  for (const [index, step] of steps.entries()) {
    const reasons = [orderFault(form, step), ...optionFaults(step)]
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
    return 'A member can be decoded only after a step that decodes the payload, such as json.'
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

function nameOf(step: DecodeStep): string {
  if (typeof step === 'string') return step
  return 'at' in step ? 'at' : Object.keys(step).join()
}

function optionFaults(step: DecodeStep): readonly (string | undefined)[] {
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
    .map(([name]) => `The column ${name} ends before it begins.`)
}
