export { createCursor } from './cursor.ts'
export type { Cursor } from './cursor.ts'
export { nearest } from './nearest.ts'
export { LanguageError } from './syntax-error.ts'
