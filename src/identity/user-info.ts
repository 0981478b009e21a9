import type { FastifyReply } from 'fastify'
import { challenge } from '../access/index.ts'
import type { VerifyToken } from '../access/index.ts'

const told = [
  'sub',
  'email_verified',
  'name',
  'preferred_username',
  'given_name',
  'family_name',
  'email',
]

/** Tells the bearer of a token with the scope `openid` who it is (OpenID Connect Core 1.0, 5.3). */
export async function tellUser(
  token: string | undefined,
  reply: FastifyReply,
  { verifyToken }: { readonly verifyToken: VerifyToken },
): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store')
  const found = token === undefined ? undefined : await verifyToken(token)
  if (found?.kind !== 'verified') {
    const why = found === undefined ? {} : { rejected: found.reason }
    const wanted = challenge({ kind: 'anonymous', ...why }) ?? ''
    const { rejected = 'No bearer token was sent' } = why
    const answer = { error: 'invalid_token', error_description: rejected }
    return reply.code(401).header('www-authenticate', wanted).send(answer)
  }
  const { claims } = found
  if (!String(claims['scope']).split(' ').includes('openid')) {
    const answer = { error: 'insufficient_scope', error_description: 'Missing openid scope' }
    return reply
      .code(403)
      .header('www-authenticate', 'Bearer error="insufficient_scope"')
      .send(answer)
  }
  return reply.send(
    Object.fromEntries(Object.entries(claims).filter(([name]) => told.includes(name))),
  )
}
