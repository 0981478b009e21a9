/** One step of a field path: into a member, an element, or every element. */
export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'each' }

/** A path of the `fields` parameter. Its text, as written, names the member of the answer. */
export type FieldPath = { readonly text: string; readonly steps: readonly Step[] }

/** Whether the path can have several values; then it always gives an array (decision D23). */
export function isWild(path: FieldPath): boolean {
  return path.steps.some((step) => step.kind === 'each')
}
