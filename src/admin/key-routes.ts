import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { listKeys, rotateKeys } from '../identity/index.ts'
import { exactly, orNull } from '../lang/schemas.ts'
import type { Secrets, Transaction } from '../storage/index.ts'
import { noteChange } from '../access/index.ts'
import { bodyLimit, bodyOf, changeBy, sendJson } from './guard.ts'
import type { AdminDeps } from './guard.ts'
import { reading, writing } from './schemas.ts'

type Rotation = {
  readonly earlier: 'keep' | 'distrust'
  readonly now: Date
  readonly secrets: Secrets
}

/**
 * Creates a new signing key, and records in the audit log which keys were added and, if earlier
 * keys are distrusted, removed.
 */
export async function renewKeys(tx: Transaction, { earlier, ...making }: Rotation): Promise<void> {
  const { added, removed } = await rotateKeys(tx, earlier, making)
  for (const id of removed) await noteChange(tx, { operation: 'Delete', dataset: 'SigningKey', id })
  await noteChange(tx, { operation: 'Create', dataset: 'SigningKey', id: added })
}

const time = (description: string) => Type.String({ format: 'date-time', description })

const keys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String({ description: 'Id of the key, as in the header of a token (RFC 7517)' }),
      state: Type.Enum(['signs', 'verifies', 'expired']),
      created: time('A new key signs half a minute later, when every node knows it'),
      retired: orNull(time('When a newer key replaced it; null: it is the newest')),
    }),
  ),
})

const body = exactly(
  {
    distrust: Type.Optional(
      Type.Boolean({
        description: 'true: a key has leaked; all earlier tokens become invalid within 5 s',
      }),
    ),
  },
  { examples: [{}] },
)

const operations = {
  list: reading(
    {
      operationId: 'listKeys',
      summary: 'All signing keys of the token service, newest first',
      description: 'For the role ADMIN. Private keys are never part of a response.',
    },
    keys,
  ),
  rotate: {
    ...writing(
      {
        operationId: 'rotateKeys',
        summary: 'Create a new signing key',
        description: 'For the role ADMIN. Existing tokens stay valid until they expire.',
      },
      { 200: keys },
    ),
    body,
  },
}

/** Routes of `/access/keys`: the signing keys of the embedded token service. */
export const keyRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { database, now, secrets } = deps
    const path = '/access/keys'
    const list = async () => ({ keys: await listKeys(database, now()) })
    app.get(path, { schema: operations.list }, async (_, reply) => sendJson(reply, await list()))
    app.post(path, { schema: operations.rotate, bodyLimit }, async (request, reply) => {
      const { distrust = false } = bodyOf(body, request)
      const earlier = distrust ? 'distrust' : 'keep'
      await changeBy(deps, request, (tx) => renewKeys(tx, { earlier, now: now(), secrets }))
      return sendJson(reply, await list())
    })
    return Promise.resolve()
  }
