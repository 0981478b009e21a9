import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TextDecoder } from 'node:util'
import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { AppError, schemaIssues } from '../errors/index.ts'

/** The media types of JSON that writes take too (interface 4.1). */
const jsonTypes = /^(?:application\/(?:[^\s;]+\+)?json|text\/json)\s*(?:;|$)/i

/** Has the addresses of this scope read bodies as JSON, an empty one as `empty` where it is given. */
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
        done(null, empty !== undefined && body.length === 0 ? empty : parse(toText(body)))
      } catch (error) {
        done(error instanceof AppError ? error : notJson(error))
      }
    },
  )
}

/** JSON is UTF-8 (RFC 8259, section 8.1), of which ASCII is a part. */
const charsets: readonly string[] = ['utf-8', 'utf8', 'us-ascii']

/** @throws AppError HUB-BDY-003 for a body that is packed, or in another encoding than UTF-8 */
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

/** Without a byte order mark. */
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

/** Where bytes that are read and written again become others. */
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
 * A body that fits a schema.
 * @param hint what it has to be, in a sentence
 * @throws AppError HUB-BDY-001 with everything that does not fit
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
