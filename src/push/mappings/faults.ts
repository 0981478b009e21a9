import { DefinitionError } from '../../definitions/index.ts'
import type { DefinitionFault } from '../../definitions/index.ts'

/** All faults of all mappings in one message, each with its place. */
export class MappingError extends DefinitionError {
  constructor(faults: readonly DefinitionFault[]) {
    super('The mappings cannot be used', faults)
    this.name = 'MappingError'
  }
}

/** What is wrong with a file beside a mapping: a table, or a JSON Schema. */
export class FileFault extends Error {}

/** A text that is not an expression. */
export class SyntaxFault extends Error {
  /** In the text, from 0. */
  readonly offset: number

  constructor(reason: string, offset: number) {
    super(reason)
    this.name = 'SyntaxFault'
    this.offset = offset
  }
}

/** Why an expression cannot continue with an item: the item is rejected with this reason. */
export class ExpressionFault extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ExpressionFault'
  }
}

/** Something of a payload that is not taken, and why. */
export type SourceRejection = {
  /** Position among the items of the payload, from 0; null when the whole payload is meant. */
  readonly source: number | null
  readonly reason: string
  /** JSON pointer inside of the item, or of the payload. */
  readonly pointer?: string
  /** Counted from 1, where the payload has lines and one of them could not be read. */
  readonly line?: number
}

/** What cannot be taken at all, and why. */
export class WholeFault extends Error {
  readonly rejected: readonly SourceRejection[]

  constructor(rejected: readonly SourceRejection[]) {
    super(rejected[0]?.reason ?? 'cannot be taken')
    this.name = 'WholeFault'
    this.rejected = rejected
  }
}
