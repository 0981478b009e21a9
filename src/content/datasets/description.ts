/** What a dataset holds, for people. */
export type Description = {
  readonly dataspace: 'tourism' | 'mobility' | 'weather' | 'other'
  readonly title: string
  readonly en: string
  readonly de: string
  readonly it: string
}
