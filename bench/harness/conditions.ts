/** Under what conditions the benches run; the page of results states them. */

/** Of the hub, and of pgbench. */
export const databaseConnections = 8

/** Of the load generator to the hub: enough that the hub never waits for a request. */
export const httpConnections = 32

/** How long each side of a pair is measured. */
export const seconds = 2

/** Of the content service, some 5 KB each: 200,000, unless a bench is only tried out with fewer. */
export { records } from './options.ts'
