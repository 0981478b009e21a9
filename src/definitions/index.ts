/** Files that operators write: what is wrong with one is reported with its place, everything at once. */
export { DefinitionError } from './faults.ts'
export type { Complain, DefinitionFault } from './faults.ts'
export { readDocument } from './read-document.ts'
export type { Locate, ReadDocument, Wrong } from './read-document.ts'
