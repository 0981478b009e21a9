import { readJson } from '../../api/index.ts'
import { toReference } from './document.ts'
import type { Document, Reference } from './document.ts'

let known: Promise<Reference> | undefined

/** Reads the description once for all pages of the reference; after a failure the next call tries again. */
export function loadReference(): Promise<Reference> {
  known ??= readJson<Document>('/openapi.json').then(toReference)
  known.catch(() => {
    known = undefined
  })
  return known
}
