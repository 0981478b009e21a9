import type { DocsMessages } from '../en/docs.ts'

export const docs: DocsMessages = {
  title: 'Dokumentation',
}
