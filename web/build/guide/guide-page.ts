/** A heading, with the anchor that GitHub gives it too. */
export type Heading = { readonly level: number; readonly id: string; readonly text: string }

/** A piece of a page, in its order. */
export type Block =
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'heading'; readonly heading: Heading; readonly html: string }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly text: string
      /** Why nobody tries this example: what stands behind the language in its first line. */
      readonly untried: string | undefined
    }

export type GuidePage = {
  readonly slug: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** What the table of contents says of a page. */
export type GuideEntry = {
  readonly slug: string
  readonly group: 'find' | 'build' | 'provide' | 'run' | 'project'
  readonly title: string
  readonly summary: string
}

/** What one heading stands over, to be searched. */
export type Section = {
  readonly slug: string
  readonly page: string
  readonly id: string
  readonly title: string
  readonly text: string
}
