import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Provider } from 'oidc-provider'
import { tokenError } from './token-error.ts'

/** Limit in bytes, larger than any legitimate form of the token service. */
const LONGEST = 65_536

/**
 * Parses the form (application/x-www-form-urlencoded) of a request whose body is still a stream.
 * @throws token error 400
 */
export async function readForm({ body, headers }: FastifyRequest): Promise<URLSearchParams> {
  if (!isStream(body)) return new URLSearchParams()
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) {
    throw tokenError(400, 'invalid_request', 'Send a form: application/x-www-form-urlencoded')
  }
  const text = await readText(body)
  const form = new URLSearchParams(text)
  // PostgreSQL cannot store this character, and no legitimate client sends it.
  if ([...form].flat().some((part) => part.includes('\0'))) {
    throw tokenError(400, 'invalid_request', 'A parameter contains NUL')
  }
  return form
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > LONGEST) throw tokenError(400, 'invalid_request', 'The form is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** The part of a request that oidc-provider reads. */
type Message = Readable & Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

type Passed = {
  readonly message: Message
  readonly reply: FastifyReply
  /** The path of the issuer. */
  readonly root: string
}

/**
 * Passes a request to oidc-provider, with the header fields that the hub sets on every response.
 */
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

/**
 * Returns a request with the given form as its body, because the original body has been consumed.
 */
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

/** Returns the network address of the caller of a request that was passed on. */
export function addressOf(message: { readonly callerAddress?: string }): string {
  return message.callerAddress ?? ''
}
