import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TextDecoder } from 'node:util'
import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { AppError, schemaIssues } from '../errors/index.ts'

/** Accepted media types of JSON, also for writes (interface 4.1). */
const jsonTypes = /^(?:application\/(?:[^\s;]+\+)?json|text\/json)\s*(?:;|$)/i

/**
 * Makes the routes of this scope parse bodies as JSON, and an empty body as `empty` if that is
 * given. A DELETE may have no body, although many clients state a type with every request.
 */
export function readJsonBodies(
  app: FastifyInstance,
  { empty }: { readonly empty?: null } = {},
): void {
  app.addContentTypeParser(
    jsonTypes,
    { parseAs: 'buffer' },
    (request, body: Buffer, done: (error: Error | null, parsed?: unknown) => void) => {
      try {
        assertReadable(request.headers)
        const mayBeEmpty = empty !== undefined || request.method === 'DELETE'
        done(null, mayBeEmpty && body.length === 0 ? empty : parse(toText(body)))
      } catch (error) {
        done(error instanceof AppError ? error : notJson(error))
      }
    },
  )
}

/** Accepted charsets. JSON is UTF-8 (RFC 8259, section 8.1), which includes ASCII. */
const charsets: readonly string[] = ['utf-8', 'utf8', 'us-ascii']

/**
 * Rejects a body that is compressed, or in another encoding than UTF-8. @throws AppError
 * HUB-BDY-003
 */
function assertReadable(headers: FastifyRequest['headers']): void {
  const coding = headers['content-encoding']?.trim() ?? ''
  if (coding !== '' && coding.toLowerCase() !== 'identity') {
    throw new AppError('HUB-BDY-003', `This path accepts no bodies encoded as ${coding}.`, {
      hint: 'Send the body without Content-Encoding.',
    })
  }
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? []
  if (charsets.includes(charset.toLowerCase())) return
  throw new AppError('HUB-BDY-003', `This path accepts JSON in UTF-8 only, not ${charset}.`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body, without its byte order mark. @throws AppError HUB-BDY-001 if it is not UTF-8 */
function toText(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    const at = String(firstForeignByte(body))
    const detail = `The body is not UTF-8: byte ${at}, counted from 0, begins no character.`
    throw new AppError('HUB-BDY-001', detail, {
      cause,
      hint: 'Send JSON in UTF-8.',
    })
  }
}

/** Returns the offset of the first byte that is not UTF-8, found by decoding and encoding again. */
function firstForeignByte(body: Buffer): number {
  const again = Buffer.from(body.toString('utf8'))
  return body.findIndex((byte, index) => byte !== again[index])
}

function parse(text: string): unknown {
  return JSON.parse(text)
}

function notJson(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : ''
  return new AppError('HUB-BDY-001', `The body is not JSON: ${why}`, { cause })
}

/**
 * Returns a body that matches a schema.
 * @param hint what the body must be, in a sentence
 * @throws AppError HUB-BDY-001 with everything that does not match
 */
export function checkedBody<Schema extends TSchema>(
  schema: Schema,
  body: unknown,
  hint: string,
): Static<Schema> {
  if (Check(schema, body)) return body
  const issues = schemaIssues(Errors(schema, body))
  const shown = issues
    .slice(0, 3)
    .map(({ pointer, detail }) => `${pointer || 'The body'} ${detail}`)
  const more = issues.length > shown.length ? ' and more' : ''
  throw new AppError('HUB-BDY-001', `${shown.join('; ')}${more}.`, { issues, hint })
}
