import { Client } from 'pg'
import { deadline } from '../deadline.ts'
import { databaseUnreachable } from '../pg-errors.ts'
import type { Address } from './address.ts'
import type { KeptServer } from './kept-server.ts'

/** How long the news of a death may take, in milliseconds. */
const newsTime = 1_000

/** Connects to the embedded database; when that has just died, to the one that follows it. */
export async function connectTo(server: KeptServer): Promise<Client> {
  const current = await server.current()
  try {
    return await newSession(current.address)
  } catch (error) {
    await deadline(current.ended, newsTime, () => databaseUnreachable(error))
    const next = await server.current()
    return newSession(next.address)
  }
}

/** A session of PGlite outlives its connection: what the last one left in it is discarded. */
async function newSession(address: Address): Promise<Client> {
  const client = new Client({ ...route(address), ...login })
  // What happens to the connection is seen by the statement on it, or by the next one.
  client.on('error', () => undefined)
  await client.connect()
  for (const statement of beginning) await client.query(statement)
  return client
}

/** One by one, because `discard all` refuses to run together with others. */
const beginning = ['discard all', "set timezone = 'UTC'", "set datestyle = 'ISO'"]

const login = {
  user: 'postgres',
  database: 'postgres',
  application_name: 'hub',
  // Given, so that variables such as PGSSLMODE and PGOPTIONS do not reach the embedded database.
  ssl: false,
  options: '',
  connectionTimeoutMillis: 10_000,
}

function route(address: Address): { readonly host: string; readonly port: number } {
  return address.kind === 'socket'
    ? { host: address.folder, port: 5432 }
    : { host: '127.0.0.1', port: address.port }
}
