/** Something that can be chosen: its value, how it is called, and a note beside it, such as a count. */
export type Choice = { readonly value: string; readonly label: string; readonly note?: string }

/** One thing in a menu. */
export type MenuItem = {
  readonly label: string
  readonly onSelect: () => void
  /** A choice that is, or is not, the present one. */
  readonly checked?: boolean
  /** The language of the label, where it is not the page's. */
  readonly lang?: string
}

/** What is said of a control. */
export type Labels = {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** The label is there for ears only, where the place says what it is. */
  readonly hidesLabel?: boolean
}
