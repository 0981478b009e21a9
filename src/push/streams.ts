import type { FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { requirePrincipal } from '../access/index.ts'
import type { PushPermission, Verified } from '../access/index.ts'
import type { Every } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import { fieldsOf } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'
import type { LoadedMapping } from './mappings/definition/definition.ts'
import { pushOperation } from './schemas.ts'

type Segments = { readonly provider: string; readonly dataset: string }

/**
 * Returns the stream that path parameters name, as `provider/dataset`.
 * @throws AppError HUB-QRY-001 if a parameter is not valid
 */
export function streamOf(params: unknown): string {
  if (!Check(pushOperation.params, params)) throw noStream(fieldsOf(params))
  const { provider, dataset }: Segments = params
  return `${provider}/${dataset}`
}

function noStream({ provider, dataset }: Readonly<Record<string, unknown>>): AppError {
  const [name, written] = Check(pushOperation.params.properties.provider, provider)
    ? ['dataset', dataset]
    : ['provider', provider]
  const allowed = '1 to 100 characters: letters, digits, "_", "-" and "."'
  const detail = `${JSON.stringify(written)} is not a valid ${name}: it has ${allowed}.`
  return new AppError('HUB-QRY-001', detail)
}

/** Reports whether a text is `provider/dataset`. */
export function isStream(text: string): boolean {
  const [provider, dataset, ...more] = text.split('/')
  return more.length === 0 && Check(pushOperation.params, { provider, dataset })
}

/** Returns the path by which permissions name a stream (interface 5.10). */
export function pathOf(stream: string): string {
  return `/${stream}`
}

/**
 * Returns the caller if it may push to a stream.
 * @throws AppError HUB-ACC-001, HUB-ACC-002, HUB-ACC-003, or HUB-ACC-004 of an external provider
 */
export async function assertMayPush(
  permission: PushPermission,
  request: FastifyRequest,
  stream: string,
): Promise<Verified> {
  const principal = requirePrincipal(request.principal)
  if (await permission.mayPush(principal, pathOf(stream))) return principal
  throw new AppError('HUB-ACC-003', `${principal.client} may not push to ${pathOf(stream)}.`, {
    hint: 'Ask the operator of the hub for the permission to write to this path.',
  })
}

/**
 * Returns the caller if it may push to a stream. Any other caller must not learn anything about the
 * stream, so it gets a 404 for a receipt (D53).
 */
export async function assertMayRead(
  permission: PushPermission,
  request: FastifyRequest,
  stream: string,
): Promise<Verified> {
  const principal = requirePrincipal(request.principal)
  if (await permission.mayPush(principal, pathOf(stream))) return principal
  throw noSuchMessage()
}

/**
 * Returns the caller if it may replay messages of a stream. An ADMIN may replay those of every
 * stream, as on the command line.
 * @throws AppError like `assertMayRead`
 */
export async function assertMayReplay(
  permission: PushPermission,
  request: FastifyRequest,
  stream: string,
): Promise<Verified> {
  const principal = requirePrincipal(request.principal)
  return principal.roles.has('ADMIN') ? principal : assertMayRead(permission, request, stream)
}

export function noSuchMessage(): AppError {
  return new AppError('HUB-RTE-003', 'There is no such message on this stream.')
}

/**
 * Settings of a stream by an operator. A stream without settings accepts everything, in any order.
 */
export type StreamSettings = {
  /** `provider/dataset` */
  readonly stream: string
  /** Whether its messages are processed one after another, in the order in which they arrived. */
  readonly isOrdered: boolean
  /** Days to keep its finished messages: 0 is forever, null is the value of HUB_PUSH_KEEP_DAYS. */
  readonly keepDays: number | null
  /** Media types that it accepts, in lower case. Null accepts any, and also none. */
  readonly mediaTypes: readonly string[] | null
}

export function listStreams(database: Queryable): Promise<readonly StreamSettings[]> {
  return database.query<StreamSettings>(sql`
    select stream, is_ordered as "isOrdered", keep_days as "keepDays", media_types as "mediaTypes"
    from push_stream order by stream`)
}

export async function storeStream(tx: Transaction, settings: StreamSettings): Promise<void> {
  const { stream, isOrdered, keepDays, mediaTypes } = settings
  await tx.execute(sql`
    insert into push_stream (stream, is_ordered, keep_days, media_types)
    values (${stream}, ${isOrdered}, ${keepDays}, ${mediaTypes}::text[])
    on conflict (stream) do update set
      is_ordered = excluded.is_ordered, keep_days = excluded.keep_days,
      media_types = excluded.media_types`)
}

/** Settings of all streams, as of the last refresh. */
export type StreamTable = {
  readonly of: (stream: string) => StreamSettings | undefined
  /** Loads the settings, and reloads them every few seconds from then on. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}

type Deps = {
  readonly database: Queryable
  readonly every: Every
  readonly onError: (error: unknown) => void
}

const fiveSeconds = 5000

export function streamTable({ database, every, onError }: Deps): StreamTable {
  let known = new Map<string, StreamSettings>()
  let stop = (): void => undefined
  const load = async () => {
    known = new Map((await listStreams(database)).map((one) => [one.stream, one]))
  }
  return {
    of: (stream) => known.get(stream),
    start: async () => {
      await load()
      stop = every(fiveSeconds, () => load().catch(onError))
    },
    stop: () => {
      stop()
    },
  }
}

type Registered = Pick<LoadedMapping, 'stream' | 'definition'>

/**
 * Applies the stream settings of mappings. Settings that a mapping does not state stay as the
 * operator set them (`hub push stream`).
 */
export async function registerStreams(
  tx: Transaction,
  mappings: readonly Registered[],
): Promise<void> {
  const known = new Map((await listStreams(tx)).map((one) => [one.stream, one]))
  for (const { stream, definition } of mappings) {
    const { ordered, keepDays, mediaTypes } = definition
    if (ordered === undefined && keepDays === undefined && mediaTypes === undefined) continue
    const before = known.get(stream)
    await storeStream(tx, {
      stream,
      isOrdered: ordered ?? before?.isOrdered ?? false,
      keepDays: keepDays ?? before?.keepDays ?? null,
      mediaTypes: mediaTypes?.map((type) => type.toLowerCase()) ?? before?.mediaTypes ?? null,
    })
  }
}
