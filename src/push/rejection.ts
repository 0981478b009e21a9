import { sql } from '../sql/index.ts'

/** An item that was not stored, and why. No item is dropped without a rejection. */
export type Rejection = {
  /** Position of the item in `items` (or `delete`). Null if it is about the whole object. */
  readonly index: number | null
  readonly reason: string
  /** JSON pointer of the field at fault, inside its object. */
  readonly pointer?: string
  /** Line of the object, counted from 1, if the message is NDJSON. */
  readonly line?: number
  /**
   * Kind of the canonical object that a mapping made of the item. `pointer` refers to that object.
   */
  readonly kind?: string
}

type Entries = 'rejections' | 'warnings'

const note = (count: string, what: Entries) => `${count} more ${what} are not listed`

/** Returns a note about entries that are counted but not listed, if there are any. */
export function noteOfUnlisted(count: number, what: Entries): readonly Rejection[] {
  return count === 0 ? [] : [{ index: null, reason: note(String(count), what) }]
}

const noted = `^${note('([0-9]+)', 'rejections')}$`

/** Returns the number of rejections in a list, including those that only its note counts. */
export function countRejected(rejected: readonly Rejection[]): number {
  const [, unlisted = '1'] = new RegExp(noted).exec(rejected.at(-1)?.reason ?? '') ?? []
  return rejected.length - 1 + Number(unlisted)
}

/** SQL of the same number, for the stored list of a message. */
export const storedRejections = sql`(jsonb_array_length(rejected) - 1
  + coalesce(substring(rejected -> -1 ->> 'reason' from ${noted}::text)::integer, 1))`

/** Adds its line to a rejection if the message is NDJSON. */
export function onLine(rejection: Rejection, line: number | undefined): Rejection {
  return line === undefined ? rejection : { ...rejection, line }
}

/**
 * Replaces characters that cannot be stored. Pointers and reasons quote the message, which may
 * contain NUL characters and lone surrogates.
 */
export function toStorable({ reason, pointer, ...rest }: Rejection): Rejection {
  return {
    ...rest,
    reason: replaceUnstorable(reason),
    ...(pointer === undefined ? {} : { pointer: replaceUnstorable(pointer) }),
  }
}

function replaceUnstorable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}
