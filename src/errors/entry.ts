type Entry = {
  readonly status: number
  readonly title: string
  /** What happened and what to do, for the documentation page of this error. */
  readonly explanation: string
}

/** Errors by their codes, which are grouped by phase and never reused. */
export const defineErrors = <const Codes extends Record<string, Entry>>(codes: Codes) => codes
