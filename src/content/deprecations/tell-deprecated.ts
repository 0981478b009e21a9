import type { FastifyReply } from 'fastify'
import { addLink } from '../../http/index.ts'
import type { Day, Deprecation } from './deprecation.ts'

/** Where the table can be read by people. */
const deprecationsPath = '/docs/deprecations'

const oneDay = 86_400_000
const mostLinks = 10

const startOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)

/** Anchor of a row on that page. */
export function anchorOf({ entity, name }: Deprecation): string {
  return `${entity}.${name}`.replaceAll(/[^\w.-]/g, '-')
}

/**
 * Says in the headers that the request uses what is on its way out: `Deprecation` since when (RFC 9745),
 * `Sunset` when the first of it may go (RFC 8594), and a link to what to use instead. Set before the
 * entity tag is compared: it belongs to 304 too.
 */
export function tellDeprecated(
  reply: FastifyReply,
  { uses, publicUrl }: { readonly uses: readonly Deprecation[]; readonly publicUrl: string },
): void {
  if (uses.length === 0) return
  const since = Math.min(...uses.map(({ deprecated }) => startOf(deprecated)))
  // Served until the end of that day.
  const until = Math.min(...uses.map(({ removedAfter }) => startOf(removedAfter) + oneDay))
  void reply.header('deprecation', `@${String(since / 1000)}`)
  void reply.header('sunset', new Date(until).toUTCString())
  for (const use of uses.slice(0, mostLinks)) {
    const target = `${publicUrl}${deprecationsPath}#${anchorOf(use)}`
    addLink(reply, { target, relation: 'deprecation' })
  }
}
