/** A fault in a definition file, and its position. */
export type DefinitionFault = {
  /** Path relative to the folder of such files. */
  readonly file: string
  /** Line and column are counted from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly reason: string
}

/**
 * Reports a fault in a field of a definition. `offset` counts characters within the field's text.
 */
export type Complain = (path: readonly (string | number)[], reason: string, offset?: number) => void

/** All faults of all files in one message, each with its position. */
export class DefinitionError extends Error {
  readonly faults: readonly DefinitionFault[]

  /** @param title what cannot be used */
  constructor(title: string, faults: readonly DefinitionFault[]) {
    super(`${title}:\n${faults.map((fault) => `  - ${printed(fault)}`).join('\n')}`)
    this.name = 'DefinitionError'
    this.faults = faults
  }
}

function printed({ file, line, column, reason }: DefinitionFault): string {
  const place = line === undefined ? '' : `:${String(line)}:${String(column ?? 1)}`
  return `${file}${place}: ${reason}`
}
