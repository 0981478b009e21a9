import type { FastifyInstance } from 'fastify'

/**
 * Has the address of clients taken from `Forwarded` (RFC 7239) instead of `X-Forwarded-For`, as far as
 * proxies are trusted. Only one of the two is ever believed: a proxy that sets one passes the other on
 * as the client wrote it.
 */
export function believeForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw
    headers['x-forwarded-for'] = forwardedFor(headers.forwarded ?? '').join(', ')
    done()
  })
}

// forwarded-pair = token "=" ( token / quoted-string ); a field without quotes may hold colons in practice
const pair = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*(?:([;,])|$)/y

/**
 * The `for` of each element of a `Forwarded` field, without ports: the client first, the last proxy's
 * peer at the end. What is not `Forwarded` says nothing; an element that names nobody is `unknown`.
 */
export function forwardedFor(field: string): readonly string[] {
  const found: string[] = []
  let current = 'unknown'
  let at = 0
  while (at < field.length) {
    pair.lastIndex = at
    const match = pair.exec(field)
    if (match === null) return []
    const [all, name = '', value = '', separator] = match
    if (name.toLowerCase() === 'for') current = toAddress(value)
    if (separator !== ';') {
      found.push(current)
      current = 'unknown'
    }
    at += all.length
  }
  return found
}

/** node = nodename [ ":" node-port ]; an IPv6 address stands in brackets (RFC 7239, section 6). */
function toAddress(value: string): string {
  const node = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
  const [, bracketed] = /^\[([\da-fA-F:.]+)\]/.exec(node) ?? []
  const name = bracketed ?? node.replace(/:\w+$/, '')
  return /^[\w.:-]+$/.test(name) ? name : 'unknown'
}
