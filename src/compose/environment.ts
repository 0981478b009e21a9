import type { FastifyBaseLogger } from 'fastify'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Every } from '../async/index.ts'
import type { Publication } from '../catalogue/index.ts'
import { publicUrlOf } from '../config/index.ts'
import type { Config, SettingOrigin } from '../config/index.ts'

/** Everything that a process gets from outside besides its settings. */
export type Environment = {
  readonly log: FastifyBaseLogger
  readonly platform: NodeJS.Platform
  readonly now: () => Date
  readonly every: Every
  readonly fetch: typeof fetch
  readonly version: string
  readonly originOf: (setting: string) => SettingOrigin
}

export const migrationsDirectory = fileURLToPath(new URL('../../migrations', import.meta.url))
export const docsDirectory = new URL('../../docs/', import.meta.url)

/**
 * Returns the catalogue's statements about all datasets: from the settings, with defaults derived
 * from the public URL.
 */
export function publicationOf(config: Config): Publication {
  const publicUrl = publicUrlOf(config)
  const { host, hostname } = new URL(publicUrl)
  const [, name, written] = /^(.*) <(.*)>$/.exec(config.HUB_CONTACT ?? '') ?? []
  const country = config.HUB_TRAFFIC_COUNTRY.toUpperCase()
  return {
    contact: {
      name: name ?? host,
      email: written ?? config.HUB_CONTACT ?? `webmaster@${mailDomainOf(hostname)}`,
    },
    documentation: config.HUB_DOCUMENTATION ?? `${publicUrl}/docs`,
    highValue: new Map(config.HUB_HIGH_VALUE.map(readHighValue)),
    region: config.HUB_REGION.length > 0 ? config.HUB_REGION : [nutsCodes[country] ?? country],
    roadNetwork: config.HUB_ROAD_NETWORK,
  }
}

/** Countries whose NUTS code differs from ISO 3166. */
const nutsCodes: Readonly<Record<string, string>> = { GR: 'EL', GB: 'UK' }

/**
 * Returns the domain of a mail address. An IP address must be in brackets (RFC 5321 section 4.1.3).
 */
function mailDomainOf(hostname: string): string {
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`
  return isIPv4(hostname) ? `[${hostname}]` : hostname
}

/** Parses an entry of `HUB_HIGH_VALUE`, such as `content/GeoShape=geospatial`. */
function readHighValue(written: string): readonly [what: string, category: string] {
  const end = written.lastIndexOf('=')
  return [written.slice(0, end).trim(), written.slice(end + 1).trim()]
}

/** Reports whether only programs on this machine can connect to a listening address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1'].includes(host) || (isIPv4(host) && host.startsWith('127.'))
}
