import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { jsonType } from '../../http/index.ts'
import type { PushDeps } from '../push-deps.ts'
import { toStorable } from '../rejection.ts'
import { pushLinks, pushOperation } from '../schemas.ts'
import { acceptMessage } from './accept-message.ts'
import { admission } from './admit.ts'
import type { Admitted } from './admit.ts'
import { inTurn } from './in-turn.ts'
import type { InTurn } from './in-turn.ts'
import { keptHeaders } from './kept-headers.ts'
import { receiveBody } from './receive-body.ts'
import type { Received } from './receive-body.ts'
import { createRoom } from './room.ts'
import { storeTogether } from './store-together.ts'
import type { StoreTogether } from './store-together.ts'
import { toTrialAnswer } from './trial.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const thirtySeconds = 30_000

/** Bytes of large bodies that are in memory at a time, and how long one waits for its room. */
const roomForBodies = { bytes: 25_165_824, patience: 20_000 }

/** `POST /push/{provider}/{dataset}`. */
export function acceptRoute(app: App, given: PushDeps): void {
  const deps = { ...given, store: storeTogether(given.database), inTurn: inTurn() }
  const bodies = readBodies(app, deps)
  const { admit, admittedAs } = admission(app, deps)
  app.post(
    '/push/:provider/:dataset',
    {
      schema: pushOperation,
      links: pushLinks,
      // Before the body is read: what a caller may not send is not worth receiving.
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

/** Reads any body, whatever its Content-Type. @returns the body of a request */
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

type Deps = PushDeps & { readonly store: StoreTogether; readonly inTurn: InTurn }

type Sent = Admitted & Pick<Parameters<typeof acceptMessage>[1], 'headers' | 'received'>

/** The answer to a message that is stored, now or the first time it came. */
async function acknowledge(deps: Deps, request: FastifyRequest, sent: Sent): Promise<string> {
  const { id, isFirst } = await acceptMessage(deps, sent)
  const fault = deps.nearlyRead?.(sent.stream, sent.received.bytes)
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
