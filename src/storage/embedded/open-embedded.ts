import type { Connections } from '../connections.ts'
import type { Log } from '../log.ts'
import { KeptServer } from './kept-server.ts'
import { SingleConnection } from './single-connection.ts'

type Options = {
  readonly dataDir: string
  /** Decides between a Unix socket and a port. */
  readonly platform: NodeJS.Platform
  /** Milliseconds that a caller waits for the one connection before it is refused. */
  readonly patience: number
  readonly log: Log
}

/** Milliseconds that a second hub waits for the first to leave the data folder. */
const handOver = 10_000

/**
 * Starts the embedded database.
 * @throws Error when it cannot be started, with the reason
 */
export async function openEmbedded(options: Options): Promise<Connections> {
  const { dataDir, platform, patience, log } = options
  const server = new KeptServer({ dataDir, platform, log, patience: handOver })
  await server.current()
  const connection = new SingleConnection(server, { patience, log })
  return { lease: () => connection.lease(), close: () => connection.close() }
}
