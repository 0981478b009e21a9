/** What a push permission covers: checks the items of a message against its scope (decision D67). */
export { checkScope, rememberClosed } from './check-scope.ts'
export type { Present, Target, Targets } from './check-scope.ts'
export { loadForeignStations } from './owners.ts'
export type { Pushed } from './owners.ts'
