import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresqlSettings } from '../../test/fixtures/database-settings.ts'
import { startCluster, startReplica } from '../../test/fixtures/postgresql-cluster.ts'
import type { Cluster } from '../../test/fixtures/postgresql-cluster.ts'
import { openClient } from './client.ts'
import { openDisk } from './disk.ts'
import type { Disk } from './disk.ts'
import type { Target } from './load.ts'
import { Node } from './node.ts'
import { Tally } from './tally.ts'

/** The servers under load, and the parts of them that can fail. */
export type World = {
  readonly primary: Cluster
  readonly replica: Cluster
  /** The disk of the primary; undefined if mounting is not permitted. */
  readonly disk: Disk | undefined
  /** A hub that is never restarted, so that growth shows. */
  readonly steady: Node
  /** A hub that is stopped, killed, restarted and given a wrong clock. */
  readonly changing: Node
  /** Revokes the current token, with the same effect as its expiry. */
  readonly revoke: () => Promise<void>
}

/** A world together with its load. */
export type Soak = Target &
  World & {
    readonly log: (text: string) => void
    readonly close: () => Promise<void>
  }

const client = 'demo-provider'
const durable = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on']
/** PostgreSQL settings that keep enough log for a replica to catch up after an outage. */
const keepLog = ['wal_keep_size=512MB', 'max_wal_size=512MB']

/**
 * Starts PostgreSQL, a streaming replica and two hubs, which have the demo's clients because tokens
 * are needed.
 * @param place folder of the database, which is kept
 * @throws Error if PostgreSQL is not installed
 */
export async function openSoak(place: string, log: Soak['log']): Promise<Soak> {
  await using opened = new AsyncDisposableStack()
  await mkdir(place, { recursive: true })
  // PostgreSQL runs under another account.
  await chmod(place, 0o755)
  const disk = await openDisk(place)
  opened.defer(() => disk?.close())
  const folder = join(disk?.folder ?? place, 'primary')
  const primary = await startCluster({ folder, more: [...durable, ...keepLog] })
  if (primary === undefined) {
    throw new Error('The soak needs PostgreSQL 15 or later with PostGIS. Run npm run setup.')
  }
  opened.defer(primary.stop)
  const replica = await startReplica(primary, { more: durable })
  opened.defer(replica.stop)
  const settings = { ...postgresqlSettings(primary.url), DATABASE_READ_URL: replica.url }
  const steady = await Node.start(settings)
  opened.defer(() => steady.end('in order'))
  const changing = await Node.start(settings)
  opened.defer(() => changing.end('in order'))
  const tally = new Tally()
  const sender = openClient([steady, changing], tally)
  opened.defer(sender.close)
  let token = await steady.hub.token(client)
  let renewing: Promise<void> | undefined
  const renewOnce = async () => {
    // The token service responds with 503 while the database is down; the next 401 triggers another
    // attempt.
    token = await steady.hub.token(client).catch(() => token)
    renewing = undefined
  }
  const all = opened.move()
  return {
    ...{ primary, replica, disk, steady, changing, tally, client: sender, log },
    now: () => new Date(),
    token: () => token,
    renew: () => (renewing ??= renewOnce()),
    revoke: () => revoke(steady.url, token),
    close: () => all.disposeAsync(),
  }
}

async function revoke(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/auth/realms/hub/protocol/openid-connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: client, client_secret: client }),
  })
  if (!answer.ok) throw new Error(`The token could not be revoked: ${await answer.text()}`)
}
