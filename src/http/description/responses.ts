import { asDocument } from './document.ts'
import type { Document } from './document.ts'

const problem = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
}

/** What every address may answer, for it happens before and around its own code. */
const everywhere = {
  400: {
    description: 'The request cannot be read, or a parameter is not what it has to be',
    content: problem,
  },
  431: { description: 'Address and headers are too long together', content: problem },
  500: { description: 'The hub failed; the log has the instance of the problem', content: problem },
}

/** What answers of a status mean that say no more of themselves. */
const meanings: Readonly<Record<string, string>> = {
  '200': 'The answer',
  '400': everywhere[400].description,
  '401': 'A token is needed, and none that is valid came',
  '403': 'The token does not permit this',
  '404': 'There is no such thing, or the caller may not see it',
  '408': 'The body did not come in time',
  '409': 'The same request is being worked on',
  '412': 'The record is no longer the one that If-Match names',
  '413': 'The body is too large',
  '415': 'The media type of the body is not taken',
  '422': 'The request contradicts an earlier one',
  '429': 'Too many requests',
  '503': 'The hub is busy or its database does not answer; Retry-After says when to come again',
  '504': 'Another server did not answer in time',
}

/** A description that @fastify/swagger makes up where there is none. */
const unnamed = 'Default Response'

export const originHeader = {
  'Access-Control-Allow-Origin': {
    description: 'Any origin may read this (decision D7)',
    schema: { type: 'string', const: '*' },
  },
}

const reference = {
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/Access-Control-Allow-Origin' },
}

/** Adds to the answers of an operation those that every address has. */
export function describeResponses(operation: Document): Document {
  const own = Object.entries(asDocument(operation['responses']))
  const told = own.map(([status, response]): [string, Document] => [
    status,
    toProblem(status, asDocument(response)),
  ])
  const all: Document = { ...everywhere, ...Object.fromEntries(told) }
  return { ...operation, responses: all }
}

/** Adds to an answer what CORS says of it; a reference is one to an answer that has it. */
export function describeOrigin(response: unknown): Document {
  const { headers, ...rest } = asDocument(response)
  if ('$ref' in rest) return rest
  return { ...rest, headers: { ...asDocument(headers), ...reference } }
}

/** Errors have a media type of their own (RFC 9457, section 3). */
function toProblem(status: string, response: Document): Document {
  const { description, content, ...rest } = response
  const said = description === undefined || description === unnamed ? meanings[status] : description
  const json = asDocument(asDocument(content)['application/json'])
  const isProblem = asDocument(json['schema'])['$ref'] === '#/components/schemas/ProblemDetails'
  return {
    description: said ?? 'The answer',
    ...(isProblem ? { content: problem } : content === undefined ? {} : { content }),
    ...rest,
  }
}
