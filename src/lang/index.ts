export { createCursor, LanguageError } from './cursor.ts'
export type { Cursor } from './cursor.ts'
export { hintAt, nearest, suggest } from './nearest.ts'
export { toRegex } from './to-regex.ts'
