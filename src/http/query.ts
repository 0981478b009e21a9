import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Errors } from 'typebox/value'
import { AppError, schemaIssues } from '../errors/index.ts'
import type { Issue } from '../errors/index.ts'
import { hintAt } from '../lang/index.ts'
import { wantsStrictHandling } from './request-hooks.ts'

type Raw = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, TSchema>>

/**
 * The parsed values of a query string, typed by its schema, and the names of unknown parameters.
 */
type QueryReading = {
  readonly values: Readonly<Record<string, unknown>>
  readonly ignored: readonly string[]
}

/**
 * Parses a query string by decision D3: names ignore case; `null` and the empty text count as
 * missing; a repeated list is joined, a repeated scalar is an error; values are converted strictly.
 * @throws AppError HUB-QRY-001, HUB-QRY-002
 */
export function readQuery(schema: TSchema, raw: Raw): QueryReading {
  const known = knownOf(schema)
  const { schemas, names } = known
  const values: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [written, texts] of gather(raw, names)) {
    const name = names.get(written)
    // Every path accepts `referer`, which matters for quotas only (interface 8).
    if (name === undefined && written === 'referer') continue
    if (name === undefined) ignored.push(...texts.names)
    else {
      const value = readValue(name, schemas[name] ?? {}, texts.values)
      if (value !== undefined) values[name] = value
    }
  }
  const complete = { ...known.defaults, ...values }
  if (!known.isValid(complete)) assertValid(known, values, complete)
  return { values: complete, ignored }
}

type Written = { readonly names: readonly string[]; readonly values: readonly string[] }

/**
 * Maps each spelling, in lower case, to its parameter. A schema may list aliases (decision D10).
 */
function spellingsOf(schemas: Schemas): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const more = 'x-aliases' in schema ? schema['x-aliases'] : []
      const aliases = Array.isArray(more) ? more.map(String) : []
      return [name, ...aliases].map((spelling) => [spelling.toLowerCase(), name] as const)
    }),
  )
}

/**
 * Groups values by parameter. All spellings of a name are the same parameter: `Fields=a&fields=b`
 * is a repeated one.
 */
function gather(raw: Raw, names: ReadonlyMap<string, string>): ReadonlyMap<string, Written> {
  const gathered = new Map<string, Written>()
  for (const [name, value] of Object.entries(raw)) {
    const key = (names.get(name.toLowerCase()) ?? name).toLowerCase()
    const known = gathered.get(key)
    const texts = [value].flat().map(String)
    gathered.set(key, {
      names: [...(known?.names ?? []), name],
      values: [...(known?.values ?? []), ...texts],
    })
  }
  return gathered
}

function readValue(name: string, schema: TSchema, written: readonly string[]): unknown {
  const texts = written.filter((text) => text !== '' && text !== 'null')
  const [first] = texts
  if (first === undefined) return undefined
  // An expression may be given in parts (decision D3).
  if ('x-repeated' in schema) return texts.join(',')
  const type = 'type' in schema ? schema.type : undefined
  if (type === 'array')
    return texts.flatMap((text) => text.split(',')).filter((item) => item !== '')
  if (texts.length > 1) {
    throw new AppError(
      'HUB-QRY-002',
      `${name} takes one value, but ${String(texts.length)} were sent.`,
      {
        issues: [{ parameter: name, detail: 'is specified more than once' }],
      },
    )
  }
  return 'x-words' in schema
    ? (flagWords.get(first.trim().toLowerCase()) ?? first)
    : convert(type, first)
}

/** Spellings of true and false that some parameters accept in addition to `true` and `false`. */
const flagWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
])

/** Converts the plain spelling of a type. Any other text stays text and then fails the schema. */
function convert(type: unknown, text: string): unknown {
  const plain = text.trim()
  if (type === 'integer' && /^[+-]?\d+$/.test(plain) && Number.isSafeInteger(Number(plain)))
    return Number(plain)
  if (type === 'number' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return Number(plain)
  if (type === 'boolean' && /^(true|false)$/i.test(plain)) return plain.toLowerCase() === 'true'
  return text
}

/** The parameters of a route as its schema defines them, computed once. */
type Known = {
  readonly schema: TSchema
  readonly schemas: Schemas
  readonly names: ReadonlyMap<string, string>
  readonly defaults: Raw
  /**
   * The compiled validator. It does not explain faults, so they are validated again by the slow
   * one.
   */
  readonly isValid: (values: unknown) => boolean
}

const knownSchemas = new WeakMap<TSchema, Known>()

function knownOf(schema: TSchema): Known {
  const known = knownSchemas.get(schema) ?? learn(schema)
  knownSchemas.set(schema, known)
  return known
}

function learn(schema: TSchema): Known {
  const schemas = propertiesOf(schema)
  const validator = Compile(schema)
  const defaults = Object.entries(schemas).flatMap(([name, one]) =>
    'default' in one ? [[name, one.default] as const] : [],
  )
  return {
    schema,
    schemas,
    names: spellingsOf(schemas),
    defaults: Object.fromEntries(defaults),
    isValid: (values) => validator.Check(values),
  }
}

/**
 * Rejects invalid values.
 * @param complete the values with defaults
 * @throws AppError HUB-QRY-001
 */
function assertValid({ schema, schemas }: Known, values: Raw, complete: Raw): void {
  const faults = schemaIssues(Errors(schema, complete))
  if (faults.length === 0) return
  const issues = faults.map((fault) => toParameterIssue(fault, values, schemas))
  const summary = issues.map((issue) => `${issue.parameter ?? ''} ${issue.detail}`).join('; ')
  throw new AppError('HUB-QRY-001', `${summary}.`, { issues })
}

function toParameterIssue(
  fault: Issue & { readonly pointer: string },
  values: Raw,
  schemas: Schemas,
): Issue {
  const { pointer, ...rest } = fault
  const parameter = pointer.split('/')[1] ?? ''
  const schema = schemas[parameter] ?? {}
  const shown = shorten(JSON.stringify(values[parameter] ?? null))
  const isOfSome = fault.detail === 'is not one of the allowed values'
  const words = flagWordsOf(schema) ?? (isOfSome ? fault.expected : undefined)
  const allowed = words ?? fault.expected ?? allowedValues(schema)
  const detail = words === undefined ? fault.detail : `must be one of ${words.join(', ')}`
  return {
    ...rest,
    ...(allowed.length > 0 ? { expected: allowed } : {}),
    parameter,
    detail: `${detail}${parameter in values ? `, not ${shown}` : ''}`,
  }
}

/** Returns the words that a boolean parameter accepts, or undefined for other parameters. */
function flagWordsOf(schema: TSchema): readonly string[] | undefined {
  if (!('type' in schema) || schema.type !== 'boolean') return undefined
  return 'x-words' in schema ? [...flagWords.keys()] : ['true', 'false']
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Limit on reported parameters, because each is reported with all known ones. */
const maxUnknown = 20

/**
 * Rejects ignored parameters, under strict handling (RFC 7240, decision D3).
 * @throws AppError HUB-QRY-003 that suggests the nearest known parameter
 */
export function assertNothingIgnored(schema: TSchema, ignored: readonly string[]): void {
  if (ignored.length === 0) return
  const known = Object.keys(propertiesOf(schema))
  const named = ignored.slice(0, maxUnknown)
  const more = ignored.length - named.length
  const others = more === 0 ? '' : `, and ${String(more)} more`
  const issues = named.map((parameter) => {
    return {
      parameter,
      detail: 'is not a parameter of this path',
      expected: known,
      ...hintAt(parameter, known),
    }
  })
  throw new AppError('HUB-QRY-003', `Unknown parameters: ${named.join(', ')}${others}.`, {
    issues,
  })
}

function propertiesOf(schema: TSchema): Schemas {
  return 'properties' in schema &&
    typeof schema.properties === 'object' &&
    schema.properties !== null
    ? { ...schema.properties }
    : {}
}

/**
 * Describes the values that a parameter accepts, for errors without a better description (decision
 * D1).
 */
function allowedValues(schema: TSchema): readonly string[] {
  const range = rangeOf(schema)
  if (range !== undefined) return [range]
  return 'description' in schema && typeof schema.description === 'string'
    ? [schema.description]
    : []
}

/** Returns the range of a number, such as `1 to 1000`, if it has both bounds. */
function rangeOf(schema: TSchema): string | undefined {
  const bound = (name: 'minimum' | 'maximum') => {
    const value: unknown = name in schema ? Reflect.get(schema, name) : undefined
    return typeof value === 'number' ? String(value) : undefined
  }
  const [least, most] = [bound('minimum'), bound('maximum')]
  if (least === undefined || most === undefined) return undefined
  return `${least} to ${most}`
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `protocol` if the route parses its query string itself; by default the hub does, by the
     * schema of the route. OAuth has parameters of its own, and unknown ones must be ignored (RFC
     * 6749 section 3.1).
     */
    queryReader?: 'protocol'
  }
}

const nothing = Type.Object({})

/**
 * Parses every query string by the schema of its route before the route runs (decision D3), so that
 * handlers get typed values and unknown names are reported in `X-Ignored-Parameters`.
 */
export function readQueries(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.is404) {
      assertNoNul(request)
      if (request.routeOptions.config.queryReader !== 'protocol') readQueryOf(request, reply)
    }
    done()
  })
}

/**
 * Rejects a URL with the NUL character. PostgreSQL cannot store it, so no name contains it.
 * @throws AppError HUB-QRY-001
 */
function assertNoNul(request: FastifyRequest): void {
  if (!/%00|\0/.test(request.url)) return
  throw new AppError('HUB-QRY-001', 'The URL contains the NUL character (%00).')
}

function readQueryOf(request: FastifyRequest, reply: FastifyReply): void {
  const raw = typeof request.query === 'object' && request.query !== null ? request.query : {}
  request.query = readParameters({ request, reply }, querySchemaOf(request), { ...raw })
}

/**
 * Parses parameters by a schema, from the query string or a body, and reports unknown names
 * (decision D3).
 * @throws AppError HUB-QRY-001, HUB-QRY-002, under strict handling HUB-QRY-003
 */
export function readParameters(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  schema: TSchema,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { values, ignored } = readQuery(schema, raw)
  if (wantsStrictHandling(request.headers['prefer'])) {
    void reply.header('preference-applied', 'handling=strict')
    assertNothingIgnored(schema, ignored)
  }
  reportIgnored(reply, ignored)
  return values
}

/** Rejects a number above the maximum, under strict handling. @throws AppError HUB-QRY-003 */
export function assertNotClamped(
  { headers }: Pick<FastifyRequest, 'headers'>,
  parameter: string,
  [wanted, most]: readonly [number, number],
): void {
  if (wanted <= most || !wantsStrictHandling(headers['prefer'])) return
  const detail = `${String(wanted)} would be clamped to ${String(most)}`
  throw new AppError('HUB-QRY-003', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, expected: [`1 to ${String(most)}`] }],
  })
}

/**
 * Rejects known parameters that have no effect in this place, under strict handling. @throws
 * AppError HUB-QRY-003
 */
export function assertNoneIgnored(ignored: readonly string[], where: string): void {
  if (ignored.length === 0) return
  throw new AppError('HUB-QRY-003', `${ignored.join(', ')} would be ignored ${where}.`, {
    issues: ignored.map((parameter) => ({ parameter, detail: `has no effect ${where}` })),
  })
}

/** Limit on names in the header, because clients reject responses with long headers. */
const maxNamed = 50

/** Reports parameters without effect on the response, in addition to those already reported. */
export function reportIgnored(reply: FastifyReply, names: readonly string[]): void {
  if (names.length === 0) return
  const known = reply.getHeader('x-ignored-parameters')
  const reported = typeof known === 'string' ? [known] : []
  const rest = names.length > maxNamed ? ['...'] : []
  // In a body, a name may contain half a surrogate pair, which cannot be encoded.
  const named = names.slice(0, maxNamed).map((name) => encodeURIComponent(name.toWellFormed()))
  const all = [...reported, ...named, ...rest]
  void reply.header('x-ignored-parameters', all.join(', '))
}

function querySchemaOf(request: FastifyRequest): TSchema {
  const schema = request.routeOptions.schema?.querystring
  return typeof schema === 'object' && schema !== null ? schema : nothing
}

/**
 * Prevents Fastify from compiling route schemas. `readQueries` validates query strings, handlers
 * validate bodies, and responses are already texts: a second validator and serializer would only
 * repeat that, and cost a second at start. Must be called before the routes are added.
 */
export function describeOnly(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.validatorCompiler = () => () => true
    route.serializerCompiler = () => (value) => JSON.stringify(value)
  })
}

/**
 * Parses a time at which something may have arrived or changed. A time before 1970 becomes 1970,
 * because nothing happened earlier and PostgreSQL may not support such years. The format
 * `date-time` allows leap seconds, which are rejected because no clock here has them.
 * @param place where in the request the text is
 * @throws AppError HUB-QRY-001 for a parameter, HUB-BDY-001 for a field of the body
 */
export function readMoment(
  text: string | undefined,
  place: { readonly parameter: string } | { readonly pointer: string },
): Date | undefined {
  if (text === undefined) return undefined
  const moment = Date.parse(text)
  if (!Number.isNaN(moment)) return new Date(Math.max(0, moment))
  const [code, name] =
    'parameter' in place
      ? (['HUB-QRY-001', place.parameter] as const)
      : (['HUB-BDY-001', place.pointer] as const)
  throw new AppError(code, `${name} is not a valid time: ${text}.`, {
    issues: [{ ...place, detail: 'is not a valid time', expected: ['2026-11-20T10:00:00Z'] }],
  })
}
