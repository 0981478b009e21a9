/** An option with its value, its label, and a note such as a count. */
export type Choice = { readonly value: string; readonly label: string; readonly note?: string }

/** An item of a menu. */
export type MenuItem = {
  readonly label: string
  readonly onSelect: () => void
  /** Set only for choices: whether this is the current one. */
  readonly checked?: boolean
  /** Language of the label, if it is not the page's. */
  readonly lang?: string
}

/** Texts of a form control. */
export type Labels = {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** Hides the label visually, if the context makes it obvious. Screen readers still get it. */
  readonly hidesLabel?: boolean
}

/** Options of a control: a list, or a record of labels by value. */
export type Options<Value extends string> =
  | readonly { readonly value: Value; readonly label: string }[]
  | Readonly<Record<Value, string>>

export function listOptions<Value extends string>(options: Options<Value>) {
  return isList(options)
    ? options
    : namesOf(options).map((value) => ({ value, label: options[value] }))
}

function isList<Value extends string>(
  options: Options<Value>,
): options is Extract<Options<Value>, readonly unknown[]> {
  return Array.isArray(options)
}

function namesOf<Value extends string>(options: Readonly<Record<Value, string>>): readonly Value[] {
  return Object.keys(options).filter((name): name is Value => name in options)
}
