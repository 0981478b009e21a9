import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Provider } from 'oidc-provider'

/** What oidc-provider reads of a request. */
type Message = Readable & Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

type Passed = {
  readonly message: Message
  readonly reply: FastifyReply
  /** Path of the issuer. */
  readonly root: string
}

/** Hands a request over, with the header fields that the hub has set for all answers. */
export function passOn(provider: Provider, { message, reply, root }: Passed): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
  const { url = '' } = message
  const mounted = Object.assign(message, {
    originalUrl: url,
    url: url.slice(root.length),
    callerAddress: reply.request.ip,
  })
  void provider.callback()(mounted, reply.raw)
}

/** The same request with a form of ours as its body; the body it came with has been read. */
export function withForm(raw: IncomingMessage, form: URLSearchParams): Message {
  const body = Buffer.from(form.toString())
  const { method = 'POST', url = '', socket } = raw
  const headers = {
    ...raw.headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  }
  return Object.assign(Readable.from([body]), { method, url, socket, headers })
}

/** The network address of who sent a request that was passed on. */
export function addressOf(message: { readonly callerAddress?: string }): string {
  return message.callerAddress ?? ''
}
