/** The error of a parser of a small language: where it stopped and what it expected there. */
export class LanguageError extends Error {
  /** Zero-based offset in the source. */
  readonly position: number
  readonly expected: readonly string[]
  readonly hint: string | undefined

  constructor(
    message: string,
    at: {
      readonly position: number
      readonly expected?: readonly string[]
      readonly hint?: string
    },
  ) {
    super(message)
    this.name = 'LanguageError'
    this.position = at.position
    this.expected = at.expected ?? []
    this.hint = at.hint
  }
}

/** A position in a source text. All small languages of the hub are parsed with one. */
export type Cursor = {
  readonly position: () => number
  readonly isAtEnd: () => boolean
  /** Consumes `text` if it is next. */
  readonly accept: (text: string) => boolean
  /** Consumes and returns what a sticky pattern matches here, if it does. */
  readonly match: (pattern: RegExp) => string | undefined
  /** Returns the error for this position, with what was found and what was expected. */
  readonly fail: (...expected: readonly string[]) => LanguageError
}

/**
 * Creates a cursor over a text.
 * @param source the text to parse; patterns given to `match` must have the flag `y`
 * @param start where parsing starts; positions still count from the start of the text
 */
export function createCursor(source: string, start = 0): Cursor {
  let offset = start
  return {
    position: () => offset,
    isAtEnd: () => offset >= source.length,
    accept: (text) => {
      if (!source.startsWith(text, offset)) return false
      offset += text.length
      return true
    },
    match: (pattern) => {
      pattern.lastIndex = offset
      const found = pattern.exec(source)?.[0]
      offset += found?.length ?? 0
      return found
    },
    fail: (...expected) => {
      const rest = source.slice(offset, offset + 12)
      const found = rest === '' ? 'the end' : JSON.stringify(rest)
      return new LanguageError(
        `Expected ${expected.join(' or ')} at position ${String(offset)}, found ${found}.`,
        { position: offset, expected },
      )
    },
  }
}
