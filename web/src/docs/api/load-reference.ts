import { once, readJson } from '../../api/index.ts'
import { toReference } from './document.ts'
import type { Document } from './document.ts'

/** Reads the description once for all pages of the reference. */
export const loadReference = once(() => readJson<Document>('/openapi.json').then(toReference))
