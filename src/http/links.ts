import type { FastifyReply } from 'fastify'

/** Adds a link to the answer (RFC 8288), beside those that it has already. */
export function addLink(
  reply: FastifyReply,
  { target, relation }: { readonly target: string; readonly relation: string },
): void {
  const known = reply.getHeader('link')
  const links = typeof known === 'string' ? [known] : []
  void reply.header('link', [...links, `<${target}>; rel="${relation}"`].join(', '))
}
