import { pino } from 'pino'
import { inject } from 'vitest'
import { every } from '../../src/async/index.ts'
import { composeHub } from '../../src/compose/compose-hub.ts'
import type { Hub } from '../../src/compose/compose-hub.ts'
import type { Environment } from '../../src/compose/index.ts'
import { loadConfig } from '../../src/config/index.ts'
import { cloneDatabase } from '../fixtures/databases.ts'
import { freePort } from '../fixtures/free-port.ts'

export type RunningHub = {
  readonly url: string
  readonly hub: Hub
  readonly stop: () => Promise<void>
}

/** Starts a hub in this process with its own database. */
export async function startHubHere(
  environment: Readonly<Record<string, string>>,
): Promise<RunningHub> {
  const clone = await cloneDatabase(inject('postgresql') === null ? 'embedded' : 'postgresql')
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const settings = Object.entries(clone.settings).map(([name, value]) => [name, String(value)])
  // These tests send far more requests from one IP address than a caller may.
  const quota = { HUB_QUOTA: 'off' }
  const address = { HUB_HOST: '127.0.0.1', HUB_PORT: port, HUB_PUBLIC_URL: url }
  const config = loadConfig({
    ...Object.fromEntries(settings),
    ...quota,
    ...address,
    ...environment,
  })
  const hub = await composeHub(config, machine, { mode: 'serve' })
  await hub.listen()
  const stop = async () => {
    await hub.close()
    await clone.drop()
  }
  return { url, hub, stop }
}

const machine: Environment = {
  log: pino({ level: 'silent' }),
  platform: process.platform,
  now: () => new Date(),
  every,
  fetch,
  version: 'test',
  originOf: () => 'default' as const,
}
