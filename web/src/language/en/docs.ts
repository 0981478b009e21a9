export const docs = {
  title: 'Docs',
}

export type DocsMessages = typeof docs
