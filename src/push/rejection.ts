/** An item that was not taken, and why. Nothing is dropped without one of these. */
export type Rejection = {
  /** Position of the item in `items` (or `delete`); null when the whole object is meant. */
  readonly index: number | null
  readonly reason: string
  /** JSON pointer of the field at fault, inside its object. */
  readonly pointer?: string
  /** Line of the object, counted from 1, when the message was NDJSON. */
  readonly line?: number
  /** The canonical object that a mapping made of the item; `pointer` leads into that. */
  readonly kind?: string
}

/** The same with its line, when the message was NDJSON. */
export function onLine(rejection: Rejection, line: number | undefined): Rejection {
  return line === undefined ? rejection : { ...rejection, line }
}

/**
 * The same in characters that can be stored: pointers and reasons quote what was sent, and in that
 * there may be NUL characters and halves of surrogate pairs.
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
