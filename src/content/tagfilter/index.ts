export type { TagFilter } from './ast.ts'
export { compileTagFilter } from './compile.ts'
export { parseTagFilter } from './parser.ts'
export { printTagFilter } from './print.ts'
