import { postgresqlSettings } from '../../test/fixtures/database-settings.ts'
import { startHub, stopHub } from '../../test/fixtures/hub-process.ts'
import type { HubProcess } from '../../test/fixtures/hub-process.ts'
import type { Cluster } from '../../test/fixtures/postgresql-cluster.ts'
import { openClient } from './client.ts'
import type { Target } from './load.ts'
import { Tally } from './tally.ts'

/** A hub with its database, and what loads it. */
export type Soak = Target & {
  readonly hub: HubProcess
  readonly cluster: Cluster
  /** Makes the token in use worthless, as when it expires. */
  readonly revoke: () => Promise<void>
  readonly log: (text: string) => void
  readonly close: () => Promise<void>
}

const client = 'demo-provider'

/** Starts a hub with the demo's clients, for the sake of tokens; the rest is as in `hub serve`. */
export async function openSoak(cluster: Cluster, log: Soak['log']): Promise<Soak> {
  const hub = await startHub({
    settings: postgresqlSettings(cluster.url),
    environment: { HUB_QUOTA: 'off', HUB_LOG_LEVEL: 'fatal' },
  })
  const tally = new Tally()
  const sender = openClient(hub.url, tally)
  let token = await hub.token(client)
  let renewing: Promise<void> | undefined
  const renewOnce = async () => {
    // The token service answers 503 while the database is away; then the next refusal tries again.
    token = await hub.token(client).catch(() => token)
    renewing = undefined
  }
  return {
    ...{ hub, cluster, tally, client: sender, log },
    now: () => new Date(),
    token: () => token,
    renew: () => (renewing ??= renewOnce()),
    revoke: () => revoke(hub, token),
    close: async () => {
      sender.close()
      await stopHub(hub)
    },
  }
}

async function revoke({ url }: HubProcess, token: string): Promise<void> {
  const answer = await fetch(`${url}/auth/realms/hub/protocol/openid-connect/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: client, client_secret: client }),
  })
  if (!answer.ok) throw new Error(`The token could not be revoked: ${await answer.text()}`)
}
