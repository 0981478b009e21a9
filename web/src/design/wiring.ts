/** What a field tells its control: which label is its own, and what else is said of it. */
export type Wiring = {
  readonly id: string
  readonly describedby: string | undefined
  readonly invalid: boolean
}
