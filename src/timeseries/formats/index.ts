export { fileNameHeader } from './formats.ts'
export type { AnswerWriter, Format, Listing, Written } from './format.ts'
export { formats, formatsOf } from './formats.ts'
export { formatParameters } from './formats.ts'
