/** The conditions of the benches. The page of results states them. */

/** Number of database connections of the hub, and of pgbench. */
export const databaseConnections = 8

/**
 * Connections from the load generator to the hub: enough that the hub never waits for a request.
 */
export const httpConnections = 32

/** Duration of one measurement of one side of a pair. */
export const seconds = 2

/** Number of content records, some 5 KB each: 200,000, unless a trial run uses fewer. */
export { records } from './options.ts'
