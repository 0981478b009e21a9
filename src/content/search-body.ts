import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/index.ts'

type Parameters = Readonly<Record<string, unknown>>

/** The media types of JSON that writes take too (interface 4.1). */
const jsonTypes = /^(?:application\/(?:[^\s;]+\+)?json|text\/json)\s*(?:;|$)/i

/** Has the addresses of this scope read bodies as JSON, an empty one as `empty` where it is given. */
export function readJsonBodies(
  app: FastifyInstance,
  { empty }: { readonly empty?: null } = {},
): void {
  app.addContentTypeParser(jsonTypes, { parseAs: 'string' }, (_request, body, done) => {
    try {
      const parsed: unknown =
        empty !== undefined && String(body) === '' ? empty : JSON.parse(String(body))
      done(null, parsed)
    } catch (error) {
      done(notRead(error))
    }
  })
}

function notRead(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : ''
  return new AppError('HUB-BDY-001', `The body is not JSON: ${why}`, { cause })
}

/**
 * The parameters in a body, as they would stand in a query string: texts, numbers, true, false, and
 * arrays of these (decision D26). Null is an absent parameter.
 * @throws AppError HUB-BDY-001 for anything else
 */
export function toParameters(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('HUB-BDY-001', 'The body is not a JSON object of parameters.', {
      hint: 'Send for example {"pagesize": 20, "polygon": "POLYGON((…))"}.',
    })
  }
  const given = Object.entries(body).filter(([, value]) => value !== null)
  for (const [name, value] of given) [value].flat().forEach((part) => assertPlain(name, part))
  return Object.fromEntries(given)
}

function assertPlain(name: string, value: unknown): void {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const fault = faultOf(value)
  if (fault === undefined && !name.includes('\0')) return
  throw new AppError('HUB-BDY-001', `${name} ${fault ?? 'holds the NUL character'}.`, {
    issues: [
      {
        pointer,
        detail: fault ?? 'holds the NUL character',
        expected: ['string', 'number', 'boolean', 'an array of these'],
      },
    ],
  })
}

/** PostgreSQL texts cannot hold the NUL character. */
function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') ? 'holds the NUL character' : undefined
  }
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? undefined : 'is not a value of a parameter'
}

/** The same request as an address, for the links to other pages. */
export function toAddress(path: string, parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    query.append(name, [value].flat().join(','))
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
