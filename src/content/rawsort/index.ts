export type { RawSort } from './ast.ts'
export { compileRawSort } from './compile.ts'
export { parseRawSort } from './parser.ts'
export { printRawSort } from './print.ts'
