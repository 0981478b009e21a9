import type { FastifyPluginAsync } from 'fastify'

type Deps = {
  readonly publicUrl: string
  readonly now: () => Date
  /** `mailto:` or `https:` addresses, the preferred one first (`HUB_SECURITY_CONTACT`). */
  readonly contacts: readonly string[]
}

/** How long the answer may be believed: RFC 9116, section 2.5.5, recommends less than a year. */
const validity = 180 * 86_400_000

const path = '/.well-known/security.txt'

/** Says whom to tell of a weakness (RFC 9116). Without anybody to tell there is no such address. */
export const securityContactRoutes =
  ({ publicUrl, now, contacts }: Deps): FastifyPluginAsync =>
  (app) => {
    if (contacts.length === 0) return Promise.resolve()
    app.get(path, { schema: { hide: true } }, (_request, reply) => {
      const expires = new Date(now().getTime() + validity).toISOString()
      const lines = [
        ...contacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${expires}`,
        'Preferred-Languages: en',
        `Canonical: ${publicUrl}${path}`,
      ]
      void reply.header('cache-control', 'public, max-age=86400')
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\r\n')}\r\n`)
    })
    return Promise.resolve()
  }
