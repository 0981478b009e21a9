import { decodeCsv, decodeFixedWidth } from './csv.ts'
import { nameOf } from './steps.ts'
import type { BareStep, DecodeStep, PlainStep } from './steps.ts'
import {
  DecodeFault,
  decodeAt,
  named,
  placed,
  startDecoding,
  toBytes,
  toText,
  tooDeep,
} from './text.ts'
import type { DecodeLimits, Decoding, MemberPath } from './text.ts'
import { decodeXmlRpc } from './xml-rpc.ts'
import { decodeXml } from './xml.ts'
import { decodeBase64, decodeGzip, decodeHex, decodePacket, unzip } from './zip.ts'

/**
 * Decodes a payload to a JSON value: each step decodes the result of the one before it. Numbers
 * from CSV, XML and fixed-width columns are strings. Pure and synchronous; keeping it off the event
 * loop is up to the caller.
 * @throws DecodeFault, and nothing else
 */
export function decodePayload(
  body: Uint8Array,
  steps: readonly DecodeStep[],
  limits: DecodeLimits,
): unknown {
  const decoding = startDecoding(body, limits)
  return toJson(steps.reduce<unknown>((input, step) => run(input, step, decoding), body))
}

function run(input: unknown, step: DecodeStep, decoding: Decoding): unknown {
  if (typeof step === 'string') return runPlain(input, step, decoding)
  if ('zip' in step) return named('zip', () => runZip(input, step.zip, decoding))
  if ('json-text' in step) {
    return named('json-text', () =>
      runAt(input, { at: step['json-text'], steps: ['json'] }, decoding),
    )
  }
  return 'at' in step ? runAt(input, step, decoding) : runPlain(input, step, decoding)
}

type StepsAt = { readonly at: MemberPath; readonly steps: readonly PlainStep[] }

function runAt(input: unknown, { at, steps }: StepsAt, decoding: Decoding): unknown {
  if (input instanceof Uint8Array || typeof input === 'string') {
    throw new DecodeFault('a step must decode the payload before a field of it can be decoded', {
      step: 'at',
    })
  }
  return decodeAt(input, { path: at, decode: (text) => runAll(text, steps, decoding) }, decoding)
}

function runZip(
  input: unknown,
  files: Readonly<Record<string, readonly PlainStep[]>>,
  decoding: Decoding,
): unknown {
  const unpacked = unzip(input, Object.keys(files), decoding)
  const decoded = Object.entries(files).map(([name, steps]): [string, unknown] => [
    name,
    placed({ pointer: `/${name}` }, () => runAll(unpacked.get(name), steps, decoding)),
  ])
  return Object.fromEntries(decoded)
}

function runAll(input: unknown, steps: readonly PlainStep[], decoding: Decoding): unknown {
  return toJson(steps.reduce((value, step) => runPlain(value, step, decoding), input))
}

function runPlain(input: unknown, step: PlainStep, decoding: Decoding): unknown {
  const full = typeof step === 'string' ? fullSteps[step] : step
  return named(nameOf(step), () => decode(input, full, decoding))
}

type FullStep =
  | Exclude<PlainStep, string>
  | { readonly gzip: object }
  | { readonly base64: object }
  | { readonly hex: object }

const fullSteps: Readonly<Record<BareStep, FullStep>> = {
  json: { json: {} },
  ndjson: { ndjson: {} },
  csv: { csv: {} },
  xml: { xml: {} },
  'xml-rpc': { 'xml-rpc': {} },
  gzip: { gzip: {} },
  base64: { base64: {} },
  hex: { hex: {} },
  text: { text: {} },
}

function decode(input: unknown, step: FullStep, decoding: Decoding): unknown {
  if ('json' in step) return decodeJson(toText(input, step.json.charset), decoding)
  if ('ndjson' in step) return decodeNdjson(input, step.ndjson.charset, decoding)
  if ('csv' in step) return decodeCsv(toText(input, step.csv.charset), step.csv, decoding)
  if ('xml' in step) return decodeXml(input, step.xml, decoding)
  if ('xml-rpc' in step) return decodeXmlRpc(input, step['xml-rpc'].charset, decoding)
  if ('gzip' in step) return decodeGzip(input, decoding)
  if ('base64' in step) return decodeBase64(input, decoding)
  if ('hex' in step) return decodeHex(input, decoding)
  if ('packet' in step) return decodePacket(input, step.packet)
  if ('text' in step) return toText(input, step.text.charset)
  const { 'fixed-width': options } = step
  return decodeFixedWidth(toText(input, options.charset), options)
}

/**
 * Returns a value that is decoded completely.
 * @throws DecodeFault if bytes are left that no step decodes
 */
function toJson(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value
  throw new DecodeFault(
    'bytes are left after the last step; add one that decodes them, such as json',
  )
}

/**
 * Parses a JSON text (RFC 8259).
 * @throws DecodeFault with line and column if they are known
 */
function decodeJson(text: string, { maxDepth }: Decoding): unknown {
  assertShallow(text, maxDepth)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw toFault(error)
  }
}

/** Parses a JSON text on each line that is not blank. A broken line is reported. */
function decodeNdjson(
  input: unknown,
  charset: string | undefined,
  decoding: Decoding,
): readonly unknown[] {
  const values: unknown[] = []
  let line = 0
  for (const written of linesOf(input, charset)) {
    line += 1
    try {
      const text = toText(written, charset)
      if (text.trim() !== '') values.push(decodeJson(text, decoding))
    } catch (error) {
      if (!(error instanceof DecodeFault)) throw error
      const { column } = error.place
      decoding.reportBroken(new DecodeFault(error.reason, { step: 'ndjson', line, column }))
    }
  }
  return values
}

/**
 * Limits the nesting of a JSON text. `JSON.parse` does not, and everything after it recurses into
 * the value.
 * @throws DecodeFault if it is nested too deeply
 */
function assertShallow(text: string, maxDepth: number): void {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === openList || code === openObject) {
      depth += 1
      if (depth > maxDepth) throw tooDeep(maxDepth)
    } else if (code === closeList || code === closeObject) depth -= 1
  }
}

/** Returns the position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index += 1
  }
  return text.length
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/**
 * Converts an error of `JSON.parse`, such as `Expected ',' or ']' after array element in JSON at
 * position 3 (line 1 column 4)`.
 */
function toFault(error: unknown): DecodeFault {
  const said = error instanceof Error ? error.message : ''
  const [, line, column] = /\(line (\d{1,9}) column (\d{1,9})\)$/.exec(said) ?? []
  const reason = said.replace(/ in JSON at position .*$/s, '').slice(0, 200)
  return new DecodeFault(`this is not valid JSON: ${reason}`, {
    ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
  })
}

/**
 * Yields the lines of a text, or lines of bytes if the whole is not valid text, so that one broken
 * line does not affect the others.
 */
function* linesOf(
  input: unknown,
  charset: string | undefined,
): Generator<string | Uint8Array, void, undefined> {
  const whole = textOrBytes(input, charset)
  const end = whole.length
  for (let start = 0; start < end;) {
    const found = typeof whole === 'string' ? whole.indexOf('\n', start) : whole.indexOf(10, start)
    const stop = found === -1 ? end : found
    yield typeof whole === 'string' ? whole.slice(start, stop) : whole.subarray(start, stop)
    start = stop + 1
  }
}

function textOrBytes(input: unknown, charset: string | undefined): string | Uint8Array {
  if (charset !== undefined) return toText(input, charset)
  try {
    return toText(input)
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error
    return toBytes(input)
  }
}
