import type { ClientBase, Query } from 'pg'

export type Done = (error?: Error) => void

/** Runs a query of our own making on a connection. @returns the query, with what it has gathered */
export async function run<Own extends Query>(
  client: ClientBase,
  make: (done: Done) => Own,
): Promise<Own> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const query = make((error) => {
    if (error) reject(error)
    else resolve(undefined)
  })
  client.query(query)
  try {
    await promise
  } catch (error) {
    // It leads to whoever sent the statement, not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
  return query
}
