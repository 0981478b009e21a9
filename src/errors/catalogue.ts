import { conversionErrors } from './conversion-errors.ts'
import { requestErrors } from './request-errors.ts'
import { serviceErrors } from './service-errors.ts'

/**
 * Every error that a caller can meet, once: status, title, and what the page behind its `type`
 * says (decision D1).
 */
export const catalogue = { ...requestErrors, ...conversionErrors, ...serviceErrors }

export type ErrorCode = keyof typeof catalogue
