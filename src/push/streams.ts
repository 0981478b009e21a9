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

/** `provider/dataset`, as messages name their stream. */
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

/** Whether a text is `provider/dataset`. */
export function isStream(text: string): boolean {
  const [provider, dataset, ...more] = text.split('/')
  return more.length === 0 && Check(pushOperation.params, { provider, dataset })
}

/** As permissions name it (interface 5.10). */
export function pathOf(stream: string): string {
  return `/${stream}`
}

/** @throws AppError HUB-ACC-001, HUB-ACC-002, HUB-ACC-003; HUB-ACC-004 of an external provider */
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

/** A caller who may not push to a stream learns nothing about it: a receipt is 404 for them (D53). */
export async function assertMayRead(
  permission: PushPermission,
  request: FastifyRequest,
  stream: string,
): Promise<Verified> {
  const principal = requirePrincipal(request.principal)
  if (await permission.mayPush(principal, pathOf(stream))) return principal
  throw noSuchMessage()
}

/** Who may replay messages of a stream: ADMIN those of every stream, as by command. @throws AppError as `assertMayRead` */
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

/** What an operator says about a stream; one that is not named takes everything, in any order. */
export type StreamSettings = {
  /** `provider/dataset` */
  readonly stream: string
  /** Whether its messages are processed one after the other, in the order in which they came. */
  readonly isOrdered: boolean
  /** Days that its finished messages are kept, 0 for ever; null: as HUB_PUSH_KEEP_DAYS says. */
  readonly keepDays: number | null
  /** Media types that it takes, in lower case; null: any, also none. */
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

/** The settings of all streams, as they were a moment ago. */
export type StreamTable = {
  readonly of: (stream: string) => StreamSettings | undefined
  /** Reads them for the first time, and again every few seconds from then on. */
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
 * Has streams treated as their mappings say. What a mapping does not say stays as the operator set it
 * (`hub push stream`).
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
