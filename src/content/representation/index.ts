export { languages } from './reduce-language.ts'
export { represent } from './represent.ts'
export type { Representation } from './represent.ts'
