import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Verified } from '../../access/index.ts'
import type { PushDeps } from '../push-deps.ts'
import { assertMayPush, streamOf } from '../stream-of.ts'
import { readIdempotencyKey, runningKeys } from './idempotency-key.ts'
import { sentContentType } from './kept-headers.ts'
import { assertMediaType } from './media-type.ts'

/** What is known of a push before its body comes. */
export type Admitted = {
  readonly stream: string
  readonly sender: Verified
  readonly contentType: string | undefined
  readonly idempotencyKey: string | undefined
  /** Lets others use the key again; the answer is certain. */
  readonly leave: () => void
}

type Admission = {
  /**
   * Decides whether the body is worth reading (order of decision D51).
   * @throws AppError of tokens and permissions, HUB-BDY-003 for a media type that the stream does not
   *   take, HUB-QRY-013 and -014 for a key, HUB-SRV-006 and -007 when nothing can be taken
   */
  readonly admit: (request: FastifyRequest) => Promise<void>
  readonly admittedAs: (request: FastifyRequest) => Admitted
}

export function admission(app: FastifyInstance, deps: PushDeps): Admission {
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
    const stream = streamOf(request.params)
    const sender = await assertMayPush(deps.permission, request, stream)
    permitted.set(request, stream)
    const contentType = sentContentType(request.raw)
    assertMediaType(deps.streams?.of(stream), contentType)
    // The framework would refuse a body whose Content-Type is malformed; here every one is kept.
    request.raw.headers['content-type'] = 'application/octet-stream'
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'])
    const obstacle = deps.backlog?.obstacle()
    if (obstacle !== undefined) throw obstacle
    const leave =
      idempotencyKey === undefined
        ? () => undefined
        : enterKey(sender.client, stream, idempotencyKey)
    admitted.set(request, { stream, sender, contentType, idempotencyKey, leave })
  }
  const admittedAs = (request: FastifyRequest) => {
    const found = admitted.get(request)
    if (found === undefined) throw new Error('A push came past its admission')
    return found
  }
  return { admit, admittedAs }
}
