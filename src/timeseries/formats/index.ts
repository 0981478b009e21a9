export type { AnswerWriter, Format, Listing } from './format.ts'
export { formats, formatsOf } from './formats.ts'
export { formatParameters } from './parameters.ts'
