/** One thing in a menu. */
export type MenuItem = {
  readonly label: string
  readonly onSelect: () => void
  /** A choice that is, or is not, the present one. */
  readonly checked?: boolean
  readonly disabled?: boolean
  /** The language of the label, where it is not the page's. */
  readonly lang?: string
}
