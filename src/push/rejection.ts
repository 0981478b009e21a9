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

/** Returns a note about entries that are counted but not listed, if there are any. */
export function noteOfUnlisted(
  count: number,
  what: 'rejections' | 'warnings',
): readonly Rejection[] {
  const reason = `${String(count)} more ${what} are not listed`
  return count === 0 ? [] : [{ index: null, reason }]
}

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
