export { explainList } from './explain-list.ts'
export type { Explanation } from './explain-list.ts'
export { explanation } from './schema.ts'
