/** Something that can be chosen: its value, how it is called, and a note beside it, such as a count. */
export type Choice = { readonly value: string; readonly label: string; readonly note?: string }
