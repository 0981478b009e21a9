/**
 * Files that operators write. All faults of a file are reported at once, each with its position.
 */
export { DefinitionError } from './faults.ts'
export type { Complain, DefinitionFault } from './faults.ts'
export { readDocument } from './read-document.ts'
export type { Locate, ReadDocument, Wrong } from './read-document.ts'
