/** What a parser of a small language throws: where it stopped and what could have stood there. */
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
