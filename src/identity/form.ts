import type { FastifyRequest } from 'fastify'
import { tokenError } from './token-error.ts'

/** Larger than any honest form of the token service. */
const LONGEST = 65_536

/** Reads the form (application/x-www-form-urlencoded) of a request whose body is still a stream. */
export async function readForm({ body, headers }: FastifyRequest): Promise<URLSearchParams> {
  if (!isStream(body)) return new URLSearchParams()
  const type = headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) {
    throw tokenError(400, 'invalid_request', 'Send a form: application/x-www-form-urlencoded')
  }
  const text = await readText(body)
  // PostgreSQL has no such character, and nobody means it.
  if (text.includes('%00')) throw tokenError(400, 'invalid_request', 'A parameter contains NUL')
  return new URLSearchParams(text)
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
