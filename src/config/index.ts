import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { TSchema } from 'typebox'
import { Check, Convert, Errors } from 'typebox/value'
import { describeQuantity, lacksUnit, printQuantity, readQuantity, unitOf } from './quantity.ts'
import { settings } from './settings.ts'
import type { Config } from './settings.ts'
import { schemaIssues } from '../errors/index.ts'
import { nearest } from '../lang/index.ts'
export { describeQuantity, printQuantity, unitOf } from './quantity.ts'
export { settings } from './settings.ts'
export type { Config } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * All faults of the environment in one message, each with the setting's name and what it accepts.
 */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Loads the settings from an environment: defaults, conversion, validation, freezing.
 * @throws ConfigError with every fault
 */
export function loadConfig(environment: Environment): Config {
  const config: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(settings.properties)) {
    const value = readSetting(schema, environment[name])
    if (value !== undefined) config[name] = value
  }
  const faults = [
    ...unknownSettings(environment),
    ...wrongValues(config),
    ...brokenUrls(config),
    ...contradictions(config),
  ]
  if (faults.length > 0 || !Check(settings, config)) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** Returns the URL at which callers reach the hub: as configured, or made of host and port. */
export function publicUrlOf(config: Config): string {
  if (config.HUB_PUBLIC_URL !== undefined) return config.HUB_PUBLIC_URL
  const { HUB_HOST: address, HUB_PORT: port } = config
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(address)
  const host = local ? 'localhost' : isIPv6(address) ? `[${address}]` : address
  return `http://${host}:${String(port)}`
}

/**
 * Parses `origin=licence`, an item of `HUB_LICENCES`. The licence may be a URL that contains `=`.
 */
export function readLicence(written: string): readonly [origin: string, licence: string] {
  const [origin = '', ...licence] = written.split('=')
  return [origin.trim().toLowerCase(), licence.join('=').trim()]
}

/** Where the value of a setting comes from. */
export type SettingOrigin = 'environment' | '.env' | 'default'

/**
 * Returns every setting in effect, in the form in which it is written; secrets without their
 * values.
 */
export function settingsInForce(config: Config, originOf: (name: string) => SettingOrigin) {
  const values: Readonly<Record<string, unknown>> = config
  return Object.entries<TSchema>(settings.properties).map(([name, schema]) => {
    const isSecret = 'secret' in schema
    const value = isSecret ? null : printSetting(schema, values[name])
    return { name, value, isSecret, isSet: values[name] !== undefined, origin: originOf(name) }
  })
}

function printSetting(schema: TSchema, value: unknown): string | null {
  if (value === undefined) return null
  const unit = unitOf(schema)
  if (unit !== undefined && typeof value === 'number') return printQuantity(value, unit)
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

/** Returns warnings about values in a deprecated form. */
export function oldForms(environment: Environment): readonly string[] {
  return Object.entries<TSchema>(settings.properties).flatMap(([name, schema]) => {
    const [unit, text] = [unitOf(schema), environment[name]]
    if (unit === undefined || text === undefined || !lacksUnit(text)) return []
    const whole = printQuantity(Number(text), unit)
    return [
      `${name}=${text} is read as ${whole}. Write ${name}=${whole}: numbers without a unit are deprecated.`,
    ]
  })
}

/**
 * Parses a setting. An empty variable counts as unset, because compose files and CI pass "nothing"
 * so.
 */
function readSetting(schema: TSchema, text: string | undefined): unknown {
  if (text === undefined || text === '') return 'default' in schema ? schema.default : undefined
  if ('type' in schema && schema.type === 'array') {
    const items = text.split(',').map((item) => item.trim())
    return items.filter((item) => item !== '')
  }
  const unit = unitOf(schema)
  if (unit !== undefined) return readQuantity(text, unit) ?? text
  // Convert reads 1.5 as the whole number 1. Left as text, it is reported instead.
  return isWhole(schema) && !/^\s*-?\d+\s*$/.test(text) ? text : Convert(schema, text)
}

function isWhole(schema: TSchema): boolean {
  return 'type' in schema && schema.type === 'integer'
}

function* wrongValues(config: Readonly<Record<string, unknown>>): Iterable<string> {
  const schemas: Readonly<Record<string, TSchema>> = settings.properties
  for (const { pointer, detail, expected } of schemaIssues(Errors(settings, config))) {
    const name = pointer.split('/')[1] ?? ''
    const schema = schemas[name] ?? {}
    const shown = 'secret' in schema ? '' : ` ${JSON.stringify(config[name])}`
    const allowed = expected === undefined ? '' : ` (allowed: ${expected.join(', ')})`
    const range = describeRange(schema)
    const wanted = range === undefined ? `${detail}${allowed}` : `must be ${range}`
    const about = 'description' in schema ? ` ${String(schema.description)}` : ''
    yield `${name}:${shown} ${wanted}.${about}`
  }
}

/** Reports URLs that begin as they should but cannot be parsed. */
function* brokenUrls(config: Readonly<Record<string, unknown>>): Iterable<string> {
  for (const [name, schema] of Object.entries<TSchema>(settings.properties)) {
    const value = config[name]
    if (!('url' in schema) || typeof value !== 'string') continue
    if (URL.canParse(value) || !Check(schema, value)) continue
    yield `${name} cannot be parsed as a URL. Write special characters of its parts, such as / in a password, as percent codes: %2F.`
  }
}

/** Describes the numbers or quantities that a setting accepts. Undefined for a setting of another type. */
function describeRange(schema: TSchema): string | undefined {
  const unit = unitOf(schema)
  if (unit !== undefined) return describeQuantity(schema, unit)
  if (!('minimum' in schema) || !('maximum' in schema)) return undefined
  const kind = isWhole(schema) ? 'whole number' : 'number'
  return `a ${kind} from ${String(schema.minimum)} to ${String(schema.maximum)}`
}

function* unknownSettings(environment: Environment): Iterable<string> {
  const known = Object.keys(settings.properties)
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('HUB_') || known.includes(name)) continue
    const meant = nearest(name, known)
    yield `${name} is not a setting.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
  }
}

function* contradictions(config: Readonly<Record<string, unknown>>): Iterable<string> {
  const zone = config['HUB_TIME_ZONE']
  if (typeof zone === 'string' && !isTimeZone(zone)) {
    yield `HUB_TIME_ZONE: ${JSON.stringify(zone)} is not a valid time zone (allowed: IANA names such as Europe/Rome).`
  }
  yield* wrongProxies(config)
  if (config['HUB_IDENTITY'] === 'external' && config['HUB_ISSUER'] === undefined) {
    yield 'HUB_IDENTITY=external needs HUB_ISSUER, the URL of the identity provider’s realm.'
  }
  if (config['HUB_IDENTITY'] === 'external' && config['HUB_AUDIENCE'] === undefined) {
    yield 'HUB_IDENTITY=external needs HUB_AUDIENCE, the client id of the hub at the identity provider; without it the tokens of any application of the realm would count here.'
  }
  const metrics = config['HUB_METRICS']
  if (Number(metrics) > 65_535) yield 'HUB_METRICS: the port is too large (allowed: up to 65535).'
  if (metrics === String(config['HUB_PORT'])) {
    yield 'HUB_METRICS: the port is that of HUB_PORT already; choose another one, or on.'
  }
  const origins = [config['HUB_LICENCES']].flat().map((item) => readLicence(String(item))[0])
  const twice = origins.find((origin, index) => origins.indexOf(origin) < index)
  if (twice !== undefined) {
    yield `HUB_LICENCES: ${JSON.stringify(twice)} has more than one licence; name each origin once.`
  }
  const { HUB_EXPORT_S3: bucket, HUB_EXPORT_S3_KEY_ID: key, HUB_EXPORT_S3_SECRET: secret } = config
  if (bucket !== undefined && (key === undefined || secret === undefined)) {
    yield 'HUB_EXPORT_S3 needs HUB_EXPORT_S3_KEY_ID and HUB_EXPORT_S3_SECRET.'
  }
  if (bucket !== undefined && config['HUB_EXPORT_DIR'] !== undefined) {
    yield 'HUB_EXPORT_S3 and HUB_EXPORT_DIR name two places for exports; set one of them.'
  }
  yield* coldContradictions(config)
  if ((config['HUB_SMTP_URL'] === undefined) !== (config['HUB_SMTP_FROM'] === undefined)) {
    yield 'HUB_SMTP_URL and HUB_SMTP_FROM belong together: the server of e-mails, and their sender.'
  }
  if (config['DATABASE_READ_URL'] !== undefined && config['DATABASE_URL'] === undefined) {
    yield 'DATABASE_READ_URL names a replica of DATABASE_URL, which is not set.'
  }
}

function* coldContradictions(config: Readonly<Record<string, unknown>>): Iterable<string> {
  const { HUB_COLD_PLACE: place, HUB_EXPORT_S3_KEY_ID: key, HUB_EXPORT_S3_SECRET: secret } = config
  const isUrl = typeof place === 'string' && /^https?:/.test(place)
  if (isUrl && !/^https?:\/\/[^\s/@]+\/[^\s/?#]+$/.test(place)) {
    yield 'HUB_COLD_PLACE: the URL has to be that of a bucket, such as https://s3.example.org/bucket.'
  }
  if (isUrl && (key === undefined || secret === undefined)) {
    yield 'HUB_COLD_PLACE with a bucket needs HUB_EXPORT_S3_KEY_ID and HUB_EXPORT_S3_SECRET.'
  }
  const isCold = config['HUB_MEASUREMENT_RETIREMENT'] === 'parquet'
  if (isCold && place === undefined && config['DATABASE_URL'] !== undefined) {
    yield 'HUB_MEASUREMENT_RETIREMENT=parquet with DATABASE_URL needs HUB_COLD_PLACE, the same on all nodes.'
  }
}

function* wrongProxies(config: Readonly<Record<string, unknown>>): Iterable<string> {
  for (const proxy of [config['HUB_TRUSTED_PROXIES'] ?? []].flat().map(String)) {
    if (isNetwork(proxy)) continue
    yield `HUB_TRUSTED_PROXIES: ${JSON.stringify(proxy)} is not an IP address or a network such as 10.0.0.0/8.`
  }
}

/** Names of networks that Fastify knows, in addition to addresses. */
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

/** Reports whether a text is an IP address, or a network in CIDR notation, or the name of one. */
function isNetwork(text: string): boolean {
  if (namedNetworks.includes(text)) return true
  const [address = '', length, more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more !== undefined) return false
  if (length === undefined) return true
  if (family === 4 && isIPv4(length)) return isMask(length)
  return /^\d+$/.test(length) && Number(length) > 0 && Number(length) <= (family === 4 ? 32 : 128)
}

/** Reports whether an IPv4 address is a mask, such as 255.0.0.0: ones before zeros. */
function isMask(address: string): boolean {
  const bits = address.split('.').map((byte) => Number(byte).toString(2).padStart(8, '0'))
  return /^1+0*$/.test(bits.join(''))
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
