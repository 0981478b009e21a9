import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { requirePrincipal } from '../../access/index.ts'
import type { PushPermission } from '../../access/index.ts'
import { createLimit } from '../../async/index.ts'
import type { Limit } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { jsonType } from '../../http/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Backlog, PushMetrics } from '../backlog.ts'
import type { OverviewDeps } from '../overview.ts'
import { endingOf } from '../pipeline.ts'
import type { Stored } from '../pipeline.ts'
import { toStorable } from '../rejection.ts'
import type { Rejection } from '../rejection.ts'
import { pushLinks, pushOperation } from '../schemas.ts'
import { assertMayPush, pathOf, streamOf } from '../streams.ts'
import type { StreamSettings, StreamTable } from '../streams.ts'
import type { Trial, Tried } from '../try-out.ts'
import { createRoom, receiveBody, unpack } from './receive-body.ts'
import type { Received } from './receive-body.ts'
import {
  otherBody,
  readIdempotencyKey,
  runningKeys,
  storeOnce,
  storeTogether,
} from './store-message.ts'
import type { NewMessage, StoreTogether } from './store-message.ts'

/** Dependencies of the routes of the push collector. */
export type PushDeps = {
  readonly database: Database
  readonly permission: PushPermission
  /** Notifies the worker that a message has arrived. */
  readonly wake: () => void
  readonly bodyLimit: number
  readonly publicUrl: string
  readonly now: () => Date
  readonly tryOut: (trial: Trial) => Promise<Tried>
  /** Returns what is wrong with a body that is nearly readable. Without it nothing is reported. */
  readonly nearlyRead?: (stream: string, body: Uint8Array) => Rejection | undefined
  /** The mappings of streams. Default: none. */
  readonly mappings?: OverviewDeps['mappings']
  /** Settings of streams by operators. Default: none. */
  readonly streams?: Pick<StreamTable, 'of'>
  /** Decides whether more messages can be accepted. Without it all are. */
  readonly backlog?: Backlog
  readonly metrics?: PushMetrics
  /** Milliseconds without a byte of the body after which a request fails. Default: 30 s. */
  readonly patience?: number
  readonly tokenUrl?: string
}

type AcceptDeps = {
  readonly database: Database
  readonly store: StoreTogether
  /** Makes large bodies wait for each other. Without it they do not. */
  readonly oneByOne?: Limit
  /** Keeps track of the room on the disk. */
  readonly backlog?: Pick<Backlog, 'store'>
  readonly bodyLimit: number
  readonly now: () => Date
}

/**
 * Size in bytes above which bodies are stored one at a time, because on its way to the database a
 * body is in memory several times.
 */
const large = 1_048_576

type SentMessage = Omit<Admitted, 'leave'> & {
  readonly headers: Readonly<Record<string, string>>
  readonly received: Received
}

/** The message that a response names: that of the request, or the first one with the same key. */
type Accepted = {
  readonly id: string
  readonly isFirst: boolean
  /** Decompressed body of the request. */
  readonly body: Uint8Array
}

/**
 * Stores a message durably and returns its id. Only then may it be acknowledged (decision D51).
 * @throws AppError HUB-BDY-001, HUB-BDY-002, HUB-BDY-003 if the body cannot be decompressed,
 *   HUB-QRY-015 if another body was sent with the same key, HUB-SRV-006 if there is no room for it
 */
async function acceptMessage(deps: AcceptDeps, sent: SentMessage): Promise<Accepted> {
  const message = await toMessage(deps, sent)
  const bytes = message.body.length + (message.packed?.length ?? 0)
  const storeNow = () => storeUnder(deps, message, sent.idempotencyKey)
  const { oneByOne } = deps
  const store = bytes > large && oneByOne !== undefined ? () => oneByOne.run(storeNow) : storeNow
  return deps.backlog === undefined ? store() : deps.backlog.store(bytes, store)
}

async function storeUnder(
  deps: AcceptDeps,
  message: NewMessage,
  idempotencyKey: string | undefined,
): Promise<Accepted> {
  if (idempotencyKey === undefined) {
    await deps.store(message)
    return { id: message.id, isFirst: true, body: message.body }
  }
  const { id, sha256 } = await storeOnce(deps.database, message, idempotencyKey)
  if (Buffer.compare(sha256, message.sha256) !== 0) throw otherBody(idempotencyKey)
  return { id, isFirst: id === message.id, body: message.body }
}

async function toMessage({ bodyLimit, now }: AcceptDeps, sent: SentMessage): Promise<NewMessage> {
  const { stream, sender, mayBackdate, contentType, headers, received } = sent
  const body = await unpack(received.bytes, headers['content-encoding'], bodyLimit)
  return {
    id: randomUUID(),
    stream,
    received: now(),
    sender,
    mayBackdate,
    contentType,
    headers,
    body,
    packed: body === received.bytes ? undefined : received.bytes,
    sha256: received.sha256,
  }
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const thirtySeconds = 30_000

/**
 * Bytes of large bodies that may be in memory at a time, and milliseconds that a body waits for
 * room.
 */
const roomForBodies = { bytes: 25_165_824, patience: 20_000 }

/** `POST /push/{provider}/{dataset}`. */
export function acceptRoute(app: App, given: PushDeps): void {
  const deps = {
    ...given,
    store: storeTogether(given.database),
    oneByOne: createLimit({ places: 1 }),
  }
  const bodies = readBodies(app, deps)
  const { admit, admittedAs } = admission(app, deps)
  app.post(
    '/push/:provider/:dataset',
    {
      schema: pushOperation,
      links: pushLinks,
      // Runs before the body is read: what a caller may not send is not received.
      onRequest: admit,
    },
    async (request, reply) => {
      const admitted = admittedAs(request)
      const sent = { ...admitted, headers: keptHeaders(request.headers), received: bodies(request) }
      void reply.type(jsonType)
      if (request.query.dryrun === true) return reply.send(await toTrialAnswer(deps, sent))
      return reply.send(await acknowledge(deps, request, sent))
    },
  )
}

/**
 * Registers a parser for bodies of any Content-Type.
 * @returns a function that returns the body of a request
 */
function readBodies(app: App, deps: PushDeps): (request: FastifyRequest) => Received {
  const bodies = new WeakMap<FastifyRequest, Received>()
  const { bodyLimit, patience = thirtySeconds } = deps
  const room = createRoom(roomForBodies)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    bodies.set(request, await receiveBody(payload, { bodyLimit, patience, room }))
  })
  app.addHook('onResponse', (request, _reply, done) => {
    bodies.get(request)?.leave()
    done()
  })
  const none = {
    bytes: Buffer.alloc(0),
    sha256: createHash('sha256').digest(),
    leave: () => undefined,
  }
  return (request) => bodies.get(request) ?? none
}

type Deps = PushDeps & { readonly store: StoreTogether; readonly oneByOne: Limit }

type Sent = Admitted & Pick<Parameters<typeof acceptMessage>[1], 'headers' | 'received'>

/** Stores a message and returns the response, which names the first message with the same key. */
async function acknowledge(deps: Deps, request: FastifyRequest, sent: Sent): Promise<string> {
  const { id, isFirst, body } = await acceptMessage(deps, sent)
  const fault = deps.nearlyRead?.(sent.stream, body)
  sent.leave()
  if (isFirst) {
    request.log.info({ message: id, stream: sent.stream }, 'A pushed message is accepted.')
    deps.backlog?.noteAccepted()
    deps.metrics?.accepted(sent.stream)
    deps.wake()
  }
  const warnings = fault === undefined ? {} : { warnings: [toStorable(fault)] }
  return JSON.stringify({ message: 'Data accepted', id, ...warnings })
}

/** Returns the mapping without its digest, as in a receipt. */
function mappingOf({ mapping }: Stored) {
  return mapping === undefined ? {} : { mapping: { name: mapping.name, version: mapping.version } }
}

/**
 * Returns the response to `dryrun=true`: the outcome that the message would have. Nothing is
 * stored.
 */
async function toTrialAnswer(deps: PushDeps, sent: SentMessage): Promise<string> {
  const { stream, sender, mayBackdate, headers, received } = sent
  const body = await unpack(received.bytes, headers['content-encoding'], deps.bodyLimit)
  const outcome = await deps.tryOut({
    stream,
    received: deps.now(),
    sender,
    mayBackdate,
    contentType: sent.contentType ?? null,
    body,
  })
  const { unread: _among, awaits: _inState, waits: _inReason, ...shown } = outcome
  const message = 'Nothing was stored: this was a dry run'
  const what = { ...endingOf(outcome), ...shown, ...mappingOf(outcome) }
  return JSON.stringify({ message, dryrun: true, ...what })
}

/** What is known of a push before its body is read. */
type Admitted = {
  readonly stream: string
  readonly sender: string
  /** Whether the sender may set the transaction time of its data. */
  readonly mayBackdate: boolean
  readonly contentType: string | undefined
  readonly idempotencyKey: string | undefined
  /** Releases the key for other requests, once the response is certain. */
  readonly leave: () => void
}

type Admission = {
  /**
   * Decides whether to read the body (order of decision D51).
   * @throws AppError of tokens and permissions, HUB-BDY-003 for a media type that the stream does
   *   not accept, HUB-QRY-013 and -014 for a key, HUB-SRV-006 and -007 if nothing can be accepted
   */
  readonly admit: (request: FastifyRequest) => Promise<void>
  readonly admittedAs: (request: FastifyRequest) => Admitted
}

function admission(app: FastifyInstance, deps: PushDeps): Admission {
  const enterKey = runningKeys()
  const admitted = new WeakMap<FastifyRequest, Admitted>()
  const permitted = new WeakMap<FastifyRequest, string>()
  app.addHook('onResponse', (request, reply, done) => {
    admitted.get(request)?.leave()
    if (request.method === 'POST' && reply.statusCode >= 400) {
      deps.metrics?.refused(permitted.get(request) ?? '', reply.statusCode)
    }
    done()
  })
  const admit = async (request: FastifyRequest) => {
    requirePrincipal(request.principal)
    const stream = streamOf(request.params)
    const principal = await assertMayPush(deps.permission, request, stream)
    const sender = deps.permission.senderOf(principal, pathOf(stream))
    const mayBackdate = principal.roles.has('ADMIN')
    permitted.set(request, stream)
    const contentType = sentContentType(request.raw)
    assertMediaType(deps.streams?.of(stream), contentType)
    // The framework would refuse a body with a malformed Content-Type, but the hub keeps any body.
    request.raw.headers['content-type'] = 'application/octet-stream'
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    const obstacle = deps.backlog?.obstacle()
    if (obstacle !== undefined) throw obstacle
    const leave =
      idempotencyKey === undefined ? () => undefined : enterKey(sender, stream, idempotencyKey)
    admitted.set(request, { stream, sender, mayBackdate, contentType, idempotencyKey, leave })
  }
  const admittedAs = (request: FastifyRequest) => {
    const found = admitted.get(request)
    if (found === undefined) throw new Error('A push came past its admission')
    return found
  }
  return { admit, admittedAs }
}

/**
 * Checks the media type if the stream declares any (decision D51).
 * @throws AppError HUB-BDY-003 if it is not one of them
 */
function assertMediaType(
  settings: StreamSettings | undefined,
  contentType: string | undefined,
): void {
  const wanted = settings?.mediaTypes ?? null
  if (wanted === null) return
  const [sent = ''] = (contentType ?? '').split(';')
  if (wanted.includes(sent.trim().toLowerCase())) return
  const came = contentType === undefined ? 'none' : contentType
  throw new AppError('HUB-BDY-003', `This stream does not accept this Content-Type: ${came}.`, {
    hint: `Send one of: ${wanted.join(', ')}.`,
    headers: { accept: wanted.join(', ') },
  })
}

/** Headers that are stored: those that describe the body or its origin, but none with secrets. */
const kept = [
  'content-encoding',
  'content-language',
  'content-disposition',
  'content-location',
  'content-digest',
  'repr-digest',
  'digest',
  'date',
  'last-modified',
  'etag',
  'idempotency-key',
  'user-agent',
  'traceparent',
]

function keptHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
}

/**
 * Returns the Content-Type as sent, even if it is invalid: it is stored, not checked (decision
 * D51a).
 */
function sentContentType({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
  const place = rawHeaders.findIndex(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type',
  )
  return place === -1 ? undefined : rawHeaders[place + 1]
}
