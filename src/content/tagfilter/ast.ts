/** A `tagfilter` that was understood: one of the tags, or all of them. */
export type TagFilter = { readonly kind: 'any' | 'all'; readonly tags: readonly string[] }
