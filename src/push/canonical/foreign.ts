import { nearest } from '../../lang/index.ts'
import type { Decoded } from '../decode.ts'
import type { Rejection } from '../rejection.ts'

/** What is wrong with a `kind` that none of the known ones is. */
export function unknownKind(written: string, kinds: readonly string[]): string {
  const meant = nearest(written, kinds)
  return `is no known kind; ${meant === undefined ? `known: ${kinds.join(', ')}` : `did you mean ${meant}?`}`
}

/** What keeps a body from being one of the canonical formats: the first thing that is wrong with it. */
export function whyForeign(decoded: readonly Decoded[], kinds: readonly string[]): Rejection {
  const first = decoded.find(({ kind }) => kind === 'value') ?? decoded[0]
  if (first === undefined) return { index: null, reason: 'is empty' }
  const place = { index: null, ...(first.line === undefined ? {} : { line: first.line }) }
  if (first.kind === 'broken') return { ...place, reason: first.reason }
  const { value } = first
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ...place, reason: 'is no object with kind and items' }
  }
  return {
    ...place,
    pointer: '/kind',
    reason: kindFault('kind' in value ? value.kind : undefined, kinds),
  }
}

function kindFault(written: unknown, kinds: readonly string[]): string {
  if (written === undefined) return `is required; known: ${kinds.join(', ')}`
  return unknownKind(typeof written === 'string' ? written : JSON.stringify(written), kinds)
}

/** Bytes of a body that are looked at before it is acknowledged. */
const beginning = 65_536

/**
 * What is wrong with a body that was meant to be canonical, as far as its beginning shows: an object with a kind that
 * none is, or with a list under `items` and no kind. It costs microseconds, so that a sender learns it with the 200.
 */
export function nearlyCanonical(body: Uint8Array, kinds: readonly string[]): Rejection | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { kind, items } = firstMembers(bytes.toString('utf8', 0, beginning))
  if (kind !== undefined) {
    const written = kind.slice(1, -1)
    if (kinds.includes(written)) return undefined
    return { index: null, pointer: '/kind', reason: unknownKind(written, kinds) }
  }
  if (items !== '[' || bytes.includes('"kind"')) return undefined
  return { index: null, pointer: '/kind', reason: kindFault(undefined, kinds) }
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** The texts under `kind` and what begins under `items` of the first object of a JSON text. */
function firstMembers(text: string): { readonly kind?: string; readonly items?: string } {
  const members = new Map<string, string>()
  if (!/^\s*\{/.test(text)) return {}
  let [depth, before, name] = [0, '', '']
  for (const [one] of text.matchAll(token)) {
    if (depth === 1 && before === ':') members.set(name, one)
    if (depth === 1 && (before === '{' || before === ',')) name = one
    if (one === '{' || one === '[') depth += 1
    if (one === '}' || one === ']') depth -= 1
    if (depth === 0) break
    before = one
  }
  const [kind = '', items] = [members.get('"kind"'), members.get('"items"')]
  return { ...(kind.startsWith('"') && { kind }), ...(items !== undefined && { items }) }
}
