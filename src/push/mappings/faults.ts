import { DefinitionError } from '../../definitions/index.ts'
import type { DefinitionFault } from '../../definitions/index.ts'

/** Error with all faults of all mappings, each with its place. */
export class MappingError extends DefinitionError {
  constructor(faults: readonly DefinitionFault[]) {
    super('The mappings cannot be used', faults)
    this.name = 'MappingError'
  }
}

/** Fault of a file beside a mapping: a table or a JSON Schema. */
export class FileFault extends Error {}

/** Fault of a text that is not a valid expression. */
export class SyntaxFault extends Error {
  /** Position in the text, counted from 0. */
  readonly offset: number

  constructor(reason: string, offset: number) {
    super(reason)
    this.name = 'SyntaxFault'
    this.offset = offset
  }
}

/** Failure of an expression for an item. The item is rejected with this reason. */
export class ExpressionFault extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ExpressionFault'
  }
}

/** A part of a payload that is rejected, and why. */
export type SourceRejection = {
  /**
   * Position among the items of the payload, counted from 0. Null if it is about the whole payload.
   */
  readonly source: number | null
  readonly reason: string
  /** JSON pointer into the item or the payload. */
  readonly pointer?: string
  /** Line that could not be read, counted from 1, if the payload has lines. */
  readonly line?: number
}

/** Fault for which a whole payload is rejected. */
export class WholeFault extends Error {
  readonly rejected: readonly SourceRejection[]

  constructor(rejected: readonly SourceRejection[]) {
    super(rejected[0]?.reason ?? 'is not a valid payload')
    this.name = 'WholeFault'
    this.rejected = rejected
  }
}
