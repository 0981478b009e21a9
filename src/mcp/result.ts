import type { AppError } from '../errors/index.ts'
import { fieldsOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { HubAnswer } from './ask-hub.ts'
import type { DatasetFacts } from './dataset.ts'

/** The result of a tool: data, and the facts that a reader needs to judge it. */
export type Result = {
  readonly answer: Pick<HubAnswer, 'request' | 'withheld' | 'ignored'>
  /** Licence and freshness of the data. */
  readonly facts?: DatasetFacts | undefined
  /** Number of matches on all pages. */
  readonly total?: number | undefined
  /** Cursor of the next page; undefined on the last page. */
  readonly cursor?: string | undefined
  readonly notes?: readonly string[]
  /** The data itself: `items`, or an object. */
  readonly data: Members
}

/** Maximum length of a result in characters, about 6,000 tokens of English. */
export const maxCharacters = 20_000

/** Characters reserved for everything around the items: request, licences, notes. */
const frame = 3000

type Lengths = { readonly text: number; readonly list: number }

const inLists: Lengths = { text: 500, list: 30 }

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const more = String(text.length - most)
  return `${text.slice(0, most)} … [${more} more characters: read_record, with from]`
}

/** Cuts long texts and lists inside a value. A mark at each cut states how much is missing. */
function shorten(value: unknown, most: Lengths): unknown {
  if (typeof value === 'string') return cut(value, most.text)
  if (Array.isArray(value)) {
    const kept = value.slice(0, most.list).map((item: unknown) => shorten(item, most))
    const more = value.length - kept.length
    return more === 0 ? kept : [...kept, `… [${String(more)} more: read_record]`]
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, member]) => [name, shorten(member, most)]))
}

/**
 * Returns as many of the first items as fit into a result, with long texts cut. If even the first
 * item is too long, it is cut further, so that the result is never empty.
 */
export function fit(items: readonly unknown[]): readonly unknown[] {
  const kept: unknown[] = []
  let left = maxCharacters - frame
  for (const item of items) {
    const short = shorten(item, inLists)
    const length = lengthOf(short)
    if (length > left) return kept.length > 0 ? kept : [shortest(item, left)]
    kept.push(short)
    left -= length + 1
  }
  return kept
}

/**
 * Shortens a value until it fits: with ever shorter texts and lists, and in the end with only as
 * many fields as fit.
 */
export function shortest(item: unknown, room: number, first: Lengths = inLists): unknown {
  for (const most of [first, inLists, { text: 100, list: 5 }, { text: 40, list: 2 }]) {
    const short = shorten(item, most)
    if (lengthOf(short) <= room) return short
  }
  const all = Object.entries(fieldsOf(shorten(item, { text: 40, list: 2 })))
  const kept: [string, unknown][] = []
  let left = room - 200
  for (const [name, value] of all) {
    left -= lengthOf(value) + name.length + 4
    if (left > 0) kept.push([name, value])
  }
  const more = String(all.length - kept.length)
  return { ...Object.fromEntries(kept), '…': `${more} more fields: name them in fields` }
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value ?? null).length
}

const nothing =
  'Nothing matches. Try fewer conditions; describe_dataset has the fields and data types.'

/** Formats a result as text for a model. */
export function printResult({ answer, facts, total, cursor, data, ...given }: Result): string {
  const lists = [data['items'], data['groups'], data['series']]
  // A page after the last one is empty, too, although something matches.
  const isEmpty =
    (total ?? 0) === 0 && lists.some((list) => Array.isArray(list) && list.length === 0)
  const { notes = [] } = given
  const shown = isEmpty && notes.length === 0 ? [nothing] : notes
  const { licences = [], updated, freshness, access } = facts ?? {}
  return JSON.stringify({
    request: answer.request,
    ...(facts === undefined
      ? {}
      : { licences: licences.length === 0 ? 'not stated' : licences, updated, freshness, access }),
    ...(answer.withheld === undefined ? {} : { withheld: explainWithheld(answer.withheld) }),
    ...(answer.ignored === undefined ? {} : { ignored: answer.ignored }),
    ...(total === undefined ? {} : { total }),
    ...(cursor === undefined ? {} : { more: 'Repeat with this cursor', cursor }),
    ...(shown.length === 0 ? {} : { notes: shown }),
    ...data,
  })
}

const reasons = [
  ['no-token', 'Closed data is shown only to callers with a token.'],
  ['invalid-token', 'The token is not valid.'],
  ['no-role', 'The token lacks a role that opens closed data.'],
] as const

/**
 * Explains `X-Withheld` to readers who do not know the header. It is a statement about rights, not
 * about the records in this result.
 */
function explainWithheld(header: string): string {
  const why = reasons.find(([reason]) => header.includes(`reason=${reason}`))?.[1] ?? ''
  const what = ['records', 'fields'].filter((kind) => header.includes(`${kind};`)).join(' and ')
  return `Closed ${what}, if there are any, are left out. ${why}`.trim()
}

/** Formats an error as text for a model: what is wrong, and the hub's own hint. */
export function printError(refusal: AppError): string {
  const { cause, message, hint, issues, status, code, title } = refusal
  const { request, errors = issues, hint: given = hint, retryAfter } = fieldsOf(cause)
  const known = Array.isArray(errors) && errors.length > 0 ? { errors } : {}
  const error = { error: title, status, code, detail: message, hint: given, ...known }
  return JSON.stringify(shorten({ ...error, retryAfter, request }, { text: 2000, list: 20 }))
}
