import { namesIn } from '../../../lang/json.ts'
import { DecodeFault, decodePayload } from '../decode/index.ts'
import type { BrokenItem } from '../decode/index.ts'
import { weightOf } from '../definition/definition.ts'
import type { Definition } from '../definition/definition.ts'
import { ExpressionFault, WholeFault } from '../faults.ts'
import type { SourceRejection } from '../faults.ts'
import { shown } from '../functions/values.ts'
import { compileExpression, payloadSchemas } from './compile-mapping.ts'
import type { CompiledMapping, Expression, Payload } from './compile-mapping.ts'

/** Results of some items of a message. */
export type Slice = {
  /** The first item that is not done yet. */
  readonly next: number
  /** Number of items of the message. */
  readonly total: number
  /** JSON of `[source, [canonical object, …]]` for each result, separated by commas. */
  readonly objects: string
  readonly rejected: readonly SourceRejection[]
}

type Merge = { readonly by: Expression; readonly language: Expression | undefined }

/** One entity, while its items in several languages are collected. */
type Collected = {
  readonly key: string
  /** Items by the code of their language. */
  readonly languages: Map<string, unknown>
  readonly first: unknown
}

/**
 * Merges items that describe one entity to `{key, languages, first}`, in the order of their first
 * item. They are a list of items that state their language, or an object with a list for each
 * language. An item without a key or a language is replaced by a fault, to be rejected in its
 * place. So is one that describes an entity in the same language as an earlier item.
 */
export async function mergeLanguages(found: unknown, merge: Merge): Promise<readonly unknown[]> {
  const known = new Map<string, Collected>()
  const merged: (Collected | ExpressionFault)[] = []
  for (const { item, list } of spread(found, merge)) {
    const keys = await keysOf(item, list, merge)
    if (keys instanceof ExpressionFault) {
      merged.push(keys)
      continue
    }
    const [key, code] = keys
    const before = known.get(key)
    if (before === undefined) {
      const begun = { key, languages: new Map([[code, item]]), first: item }
      known.set(key, begun)
      merged.push(begun)
    } else if (before.languages.has(code)) merged.push(twice(key, code))
    else before.languages.set(code, item)
  }
  return merged.map((one) => (one instanceof ExpressionFault ? one : written(one)))
}

function twice(key: string, code: string): ExpressionFault {
  return new ExpressionFault(`merge: describes ${shown(key)} in ${shown(code)} twice`)
}

/**
 * Returns the merged item. Language codes come from the payload: one may be any word, such as
 * `__proto__`.
 */
function written({ key, languages, first }: Collected) {
  return { key, languages: Object.fromEntries(languages), first }
}

/** An item, and the name of the list that contains it, if there are several. */
type Listed = { readonly item: unknown; readonly list: string | undefined }

function spread(found: unknown, { language }: Merge): readonly Listed[] {
  if (found === undefined || found === null) return []
  if (language !== undefined)
    return [found].flat().map((item: unknown) => ({ item, list: undefined }))
  return Object.entries(found).flatMap(([list, items]: [string, unknown]) =>
    [items].flat().map((item: unknown) => ({ item, list })),
  )
}

async function keysOf(
  item: unknown,
  list: string | undefined,
  { by, language }: Merge,
): Promise<readonly [key: string, language: string] | ExpressionFault> {
  try {
    const key = await by.evaluate(item)
    if (!isKey(key)) return new ExpressionFault('merge.by gives neither a text nor a number')
    const code = language === undefined ? list : await language.evaluate(item)
    if (typeof code === 'string' && code !== '') return [String(key), code]
    return new ExpressionFault('merge.language gives no text')
  } catch (error) {
    if (error instanceof ExpressionFault) return new ExpressionFault(`merge: ${error.message}`)
    throw error
  }
}

function isKey(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

/** What expressions can read about a message, as `$message`. */
export type MessageContext = {
  readonly stream: string
  readonly provider: string
  readonly dataset: string
  /** Time of receipt in ISO 8601 in UTC, which `$now()` also returns. */
  readonly received: string
  readonly contentType: string | null
}

export type Work = {
  readonly body: Uint8Array
  readonly context: MessageContext
  /** The first item to evaluate. Items before it are done. */
  readonly from: number
  /**
   * Whether nothing of the message has been evaluated yet, including what comes before its items.
   */
  readonly isFirst: boolean
  /** Whether each item is reported by itself, to find out which one ends the process. */
  readonly isCareful: boolean
}

type Limits = {
  /** Maximum bytes of the body, including everything unpacked from it. */
  readonly maxBytes: number
  /** Returns the milliseconds of a monotonic clock. */
  readonly clock: () => number
}

const maxDepth = 200
/** Maximum milliseconds between two signs of life, unless one item takes longer. */
const sliceMilliseconds = 20
/** Maximum characters of a slice, unless one item has more. */
const sliceCharacters = 1_000_000
/** Maximum characters of JSON for one item, and for what comes before the items. */
const maxItemLength = 16_000_000

/**
 * Evaluates the expressions of a mapping for a message: first what comes before its items, then the
 * items one by one. An item that fails is rejected and does not affect the others.
 * @throws WholeFault if it fails before the items
 */
export async function* evaluateMessage(
  compiled: CompiledMapping,
  work: Work,
  limits: Limits,
): AsyncGenerator<Slice> {
  const { payload, broken } = decode(compiled, work, limits)
  const schemas = await payloadSchemas(compiled.mapping)
  const faults = schemas.payloadFaults(payload)
  if (faults.length > 0) throw new WholeFault(faults.map((fault) => ({ source: null, ...fault })))
  const { received } = work.context
  compiled.hours.received = Date.parse(received)
  compiled.hours.last.clear()
  assign(compiled, { payload, message: work.context, now: receivedTime(received) })
  assign(compiled, { millis: () => Date.parse(received) })
  const items = await itemsOf(compiled, payload)
  assertExpected(compiled.mapping.definition.expect, items)
  const objects = work.isFirst ? await evaluateBefore(compiled.before, payload) : nothing
  const rejected = work.isFirst ? broken : []
  yield { next: work.from, total: items.length, objects, rejected }
  const evaluateItem = itemEvaluator(compiled, schemas.itemFaults)
  yield* inSlices(items, evaluateItem, { ...work, ...limits })
}

function decode({ mapping }: CompiledMapping, { body }: Work, { maxBytes }: Limits) {
  const broken: SourceRejection[] = []
  const reportBroken = ({ reason, line, pointer }: BrokenItem) => {
    broken.push({ source: null, reason, ...given({ line, pointer }) })
  }
  try {
    const steps = mapping.definition.decode ?? ['json']
    const payload = decodePayload(body, steps, { maxBytes, maxDepth, reportBroken })
    return { payload, broken }
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error
    const { line, pointer } = error.place
    throw new WholeFault([
      { source: null, reason: `cannot be decoded: ${error.message}`, ...given({ line, pointer }) },
    ])
  }
}

function given({ line, pointer }: { line?: number | undefined; pointer?: string | undefined }) {
  return { ...(line === undefined ? {} : { line }), ...(pointer === undefined ? {} : { pointer }) }
}

function assign(compiled: CompiledMapping, variables: Readonly<Record<string, unknown>>): void {
  const { before, items, each, merge } = compiled
  for (const one of [before, items, each, merge?.by, merge?.language]) one?.assign(variables)
}

async function itemsOf(compiled: CompiledMapping, payload: unknown): Promise<readonly unknown[]> {
  const found =
    compiled.items === undefined ? payload : await whole('items', compiled.items, payload)
  if (compiled.merge !== undefined) return mergeLanguages(found, compiled.merge)
  return found === undefined ? [] : [found].flat()
}

const nothing = '[null,[]]'

/**
 * Returns the objects before the items as JSON.
 * @throws WholeFault if they cannot be evaluated
 */
async function evaluateBefore(before: Expression | undefined, payload: unknown): Promise<string> {
  if (before === undefined) return nothing
  const made = madeOf(null, await whole('before', before, payload))
  if ('text' in made) return made.text
  throw new WholeFault([{ source: null, reason: `before: ${made.reason}` }])
}

/**
 * Evaluates an expression without whose result the message cannot be evaluated.
 * @throws WholeFault if it fails
 */
async function whole(name: string, expression: Expression, payload: unknown): Promise<unknown> {
  try {
    return await expression.evaluate(payload)
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error
    throw new WholeFault([{ source: null, reason: `${name}: ${error.message}` }])
  }
}

/** JSON of the result of an item, or why the item is rejected. */
type Evaluated = { readonly text: string } | { readonly rejected: readonly SourceRejection[] }

function itemEvaluator({ each }: CompiledMapping, itemFaults: Payload['itemFaults']) {
  return async (item: unknown, source: number): Promise<Evaluated> => {
    if (item instanceof ExpressionFault) return { rejected: [{ source, reason: item.message }] }
    const faults = itemFaults(item)
    if (faults.length > 0) return { rejected: faults.map((fault) => ({ source, ...fault })) }
    each.assign({ index: source })
    try {
      const made = madeOf(source, await each.evaluate(item))
      if ('text' in made) return made
      return { rejected: [{ source, reason: `each: ${made.reason}` }] }
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error
      return { rejected: [{ source, reason: `each: ${error.message}` }] }
    }
  }
}

/** Returns the result of an expression as JSON, or why it cannot be stored. */
function madeOf(
  source: number | null,
  result: unknown,
): { readonly text: string } | { readonly reason: string } {
  try {
    const text = JSON.stringify([source, result === undefined ? [] : [result].flat()])
    if (text.length <= maxItemLength) return { text }
    return { reason: 'returns more than 16,000,000 characters' }
  } catch (error) {
    // Values that are nested too deeply, or contain a function, cannot be serialized.
    const [why = ''] = error instanceof Error ? error.message.split('\n') : []
    return { reason: `gives what cannot be written as JSON: ${why}` }
  }
}

type Slicing = Work & Limits

async function* inSlices(
  items: readonly unknown[],
  evaluateItem: (item: unknown, source: number) => Promise<Evaluated>,
  { from, isCareful, clock }: Slicing,
): AsyncGenerator<Slice> {
  let texts: string[] = []
  let rejected: SourceRejection[] = []
  let [began, characters] = [clock(), 0]
  for (let source = from; source < items.length; source++) {
    const evaluated = await evaluateItem(items[source], source)
    if ('text' in evaluated) {
      texts.push(evaluated.text)
      characters += evaluated.text.length
    } else {
      for (const one of evaluated.rejected) rejected.push(one)
      characters += weightOf(evaluated.rejected)
    }
    const isFull = clock() - began > sliceMilliseconds || characters > sliceCharacters
    if (!isFull && !isCareful && source + 1 < items.length) continue
    yield { next: source + 1, total: items.length, objects: texts.join(','), rejected }
    ;[texts, rejected, began, characters] = [[], [], clock(), 0]
  }
}

/**
 * Checks the items of a payload against what the mapping expects (`expect`). A delivery that is
 * empty, or in which a field was renamed, is rejected as a whole rather than stored as nothing.
 * @throws WholeFault with everything that is missing
 */
function assertExpected(expected: Definition['expect'], items: readonly unknown[]): void {
  const { items: least = 0, members = [] } = expected ?? {}
  const tooFew: readonly SourceRejection[] =
    items.length >= least ? [] : [{ source: null, reason: fewer(items.length, least) }]
  const missing = members
    .filter((pointer) => items.length > 0 && !items.some((item) => hasValue(item, pointer)))
    .map((pointer) => ({ source: null, pointer, reason: renamed }))
  if (tooFew.length + missing.length > 0) throw new WholeFault([...tooFew, ...missing])
}

function fewer(found: number, least: number): string {
  return `has ${String(found)} of at least ${String(least)} items that are expected (expect.items)`
}

const renamed =
  'has a value in no item; was the field renamed? The mapping expects it (expect.members)'

/**
 * Reports whether a field has a value. Empty strings are not values, because CSV and XML have no
 * other way to write a missing value.
 */
function hasValue(item: unknown, pointer: string): boolean {
  const value = namesIn(pointer).reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    item,
  )
  return value !== undefined && value !== null && value !== ''
}

const format = compileExpression(
  '$fromMillis(time, picture, zone)',
  {},
  {
    milliseconds: 1000,
    depth: 100,
  },
)

/**
 * Implements `$now(picture?, zone?)` of JSONata with the time at which a message was received.
 * @param received ISO 8601 in UTC
 * @throws ExpressionFault for an invalid picture or zone
 */
function receivedTime(received: string) {
  const time = Date.parse(received)
  return async (picture?: unknown, zone?: unknown): Promise<unknown> => {
    if (picture === undefined && zone === undefined) return received
    try {
      return await format.evaluate({ time, picture, zone })
    } catch (error) {
      throw withoutPlace(error)
    }
  }
}

/** Removes the place from a fault, because the caller adds the place in the mapping. */
function withoutPlace(error: unknown): unknown {
  if (!(error instanceof ExpressionFault)) return error
  return new ExpressionFault(error.message.replace(/^line \d+, column \d+: /u, ''))
}
