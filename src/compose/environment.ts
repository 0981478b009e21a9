import type { FastifyBaseLogger } from 'fastify'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Every } from '../access/index.ts'
import type { Config } from '../config/index.ts'

/** What a process is given from outside: everything that is not a function of its settings. */
export type Environment = {
  readonly log: FastifyBaseLogger
  readonly platform: NodeJS.Platform
  readonly now: () => Date
  readonly every: Every
  readonly fetch: typeof fetch
  readonly version: string
}

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The address under which callers reach the hub: as set, or host and port. */
export function publicUrlOf(config: Config): string {
  if (config.HUB_PUBLIC_URL !== undefined) return config.HUB_PUBLIC_URL
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.HUB_HOST)
  return `http://${local ? 'localhost' : config.HUB_HOST}:${String(config.HUB_PORT)}`
}

/** Whether only programs of this machine reach what listens on an address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1'].includes(host) || (isIPv4(host) && host.startsWith('127.'))
}
