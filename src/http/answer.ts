import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../access/index.ts'
import { matchesEtag, weakEtag } from './conditional.ts'

/** A request, and what is answered to it. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

export const jsonType = 'application/json; charset=utf-8'

/** Headers of every read: what shaped the answer, and who may keep it (decision D8). */
export function setCaching(reply: FastifyReply, principal: Principal): void {
  void reply.header('vary', 'Accept, Accept-Encoding, Authorization, Prefer')
  void reply.header('cache-control', isPublic(principal) ? 'public, no-cache' : 'private, no-cache')
}

/**
 * Whether a shared cache may keep what this caller is answered. A token that does not count shapes the
 * answer too: it is told so in headers that are not for others (decision D6).
 */
export function isPublic(principal: Principal): boolean {
  return principal.kind === 'anonymous' && principal.rejected === undefined
}

/** Sets the tag and says whether the caller has this very answer already: then send 304 and nothing else. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header('etag', etag)
  if (!matchesEtag(request.headers['if-none-match'], etag)) return false
  void reply.code(304)
  return true
}

/** Answers with a text that is whole already, under a tag of the text; 304 for callers who have it. */
export function sendText(
  { request, reply }: Exchange,
  text: string,
  type: string = jsonType,
): FastifyReply {
  setCaching(reply, request.principal)
  return isUnchanged(request, reply, weakEtag([text])) ? reply.send() : reply.type(type).send(text)
}
