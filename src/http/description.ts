import { STATUS_CODES } from 'node:http'
import { fieldsOf, mapFields } from '../lang/json.ts'

/** An OpenAPI document, or a part of it. */
export type Document = Readonly<Record<string, unknown>>

function mapOperations(document: Document, change: (operation: Document) => Document): Document {
  const paths = mapFields(fieldsOf(document['paths']), (operations) =>
    mapFields(fieldsOf(operations), (operation) => change(fieldsOf(operation))),
  )
  return { ...document, paths }
}

/**
 * Completes the document generated from the route schemas with what all routes have in common and
 * none declares: the style of parameters, common responses and headers, and the formats of numbers.
 * @param more adds what services describe for some paths, such as quotas
 */
export function completeDescription(
  document: Document,
  more: (document: Document) => Document,
): Document {
  const reported = mapOperations(document, (operation) =>
    describeResponses(describeBody(describeParameters(operation))),
  )
  return fieldsOf(addNumberFormats(shareResponses(addOrigins(more(reported)))))
}

/** Documents on every response that any origin may read it (decision D7). */
function addOrigins(document: Document): Document {
  const described = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapFields(fieldsOf(operation['responses']), describeOrigin),
  }))
  const { headers, responses, ...rest } = fieldsOf(document['components'])
  return {
    ...described,
    components: {
      ...rest,
      headers: { ...fieldsOf(headers), ...originHeader },
      responses: mapFields(fieldsOf(responses), describeOrigin),
    },
  }
}

const int32 = { least: -2_147_483_648, most: 2_147_483_647 }

/** Keywords whose values are data, not schemas. */
const values = new Set(['default', 'enum', 'const', 'example', 'examples'])

/**
 * Adds the format of integers (OpenAPI format registry): int32 if their limits fit it, otherwise
 * int64.
 */
function addNumberFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => addNumberFormats(member))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    values.has(name) && !isSchema(member) ? member : addNumberFormats(member),
  ])
  const format = 'type' in value && isInteger(value.type) ? { format: formatOf(value) } : {}
  return { ...format, ...Object.fromEntries(members) }
}

/**
 * Reports whether a value is a schema: a field of a record may also be named `default` or
 * `example`.
 */
function isSchema(member: unknown): boolean {
  return typeof member === 'object' && member !== null && 'type' in member
}

function isInteger(type: unknown): boolean {
  return type === 'integer' || (Array.isArray(type) && type.includes('integer'))
}

function formatOf(schema: object): 'int32' | 'int64' {
  const { minimum, maximum }: { readonly minimum?: unknown; readonly maximum?: unknown } = {
    ...schema,
  }
  const fits = (limit: unknown) =>
    typeof limit === 'number' && limit >= int32.least && limit <= int32.most
  return fits(minimum) && fits(maximum) ? 'int32' : 'int64'
}

/** Keywords for arrays in a URL: in OpenAPI they belong to the parameter, not to its schema. */
const spelling = ['style', 'explode'] as const

/** Moves keywords from the schemas of parameters to where OpenAPI expects them. */
function describeParameters(operation: Document): Document {
  const { parameters } = operation
  return Array.isArray(parameters)
    ? { ...operation, parameters: parameters.map(describeParameter) }
    : operation
}

function describeParameter(parameter: unknown): Document {
  const { schema, required, ...rest } = fieldsOf(parameter)
  const { style, explode, ...own } = fieldsOf(schema)
  const spelt = Object.entries({ style, explode }).filter(([, value]) => value !== undefined)
  return {
    ...rest,
    ...Object.fromEntries(spelt),
    // A parameter with a default may be omitted, though handlers always find a value.
    required: required === true && !('default' in own),
    schema: own,
  }
}

/** Does the same for parameters in a body (decision D26). */
function describeBody(operation: Document): Document {
  const { requestBody } = operation
  if (requestBody === undefined) return operation
  const body = fieldsOf(requestBody)
  const content = Object.entries(fieldsOf(body['content'])).map(([type, media]) => {
    const { schema, ...rest } = fieldsOf(media)
    return [type, { schema: describeMembers(fieldsOf(schema)), ...rest }] as const
  })
  return { ...operation, requestBody: { ...body, content: Object.fromEntries(content) } }
}

function describeMembers(schema: Document): Document {
  const { properties, required, ...rest } = schema
  if (properties === undefined) return schema
  const members = Object.entries(fieldsOf(properties)).map(([name, member]) => {
    const own = Object.entries(fieldsOf(member)).filter(
      ([key]) => !spelling.some((word) => word === key),
    )
    return [name, Object.fromEntries(own)] as const
  })
  const defaults = new Set(members.flatMap(([name, own]) => ('default' in own ? [name] : [])))
  const needed = Array.isArray(required)
    ? required.filter((name: unknown) => !defaults.has(String(name)))
    : []
  return {
    ...rest,
    properties: Object.fromEntries(members),
    ...(needed.length === 0 ? {} : { required: needed }),
  }
}

/** Moves errors that several operations describe identically to the components, each once. */
function shareResponses(document: Document): Document {
  const shared = findShared(document)
  const components = fieldsOf(document['components'])
  const named = Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)]))
  const result = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapFields(fieldsOf(operation['responses']), (response) => {
      const name = shared.get(JSON.stringify(response))
      return name === undefined ? response : { $ref: `#/components/responses/${name}` }
    }),
  }))
  const responses = { ...fieldsOf(components['responses']), ...named }
  return { ...result, components: { ...components, responses } }
}

/** Returns a name for each error description that occurs more than once: NotFound, NotFound2 … */
function findShared(document: Document): ReadonlyMap<string, string> {
  const counts = new Map<string, { readonly status: string; readonly count: number }>()
  mapOperations(document, (operation) => {
    for (const [status, response] of Object.entries(fieldsOf(operation['responses']))) {
      const text = JSON.stringify(response)
      if (Number(status) < 400 || '$ref' in fieldsOf(response)) continue
      counts.set(text, { status, count: (counts.get(text)?.count ?? 0) + 1 })
    }
    return operation
  })
  const taken = new Map<string, number>()
  const shared = [...counts].filter(([, { count }]) => count > 1)
  return new Map(
    shared.map(([text, { status }]) => {
      const name = (STATUS_CODES[status] ?? 'Error').replaceAll(/\W/g, '')
      const times = (taken.get(name) ?? 0) + 1
      taken.set(name, times)
      return [text, times === 1 ? name : `${name}${String(times)}`]
    }),
  )
}

const problem = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
}

/** Responses of every route, because they occur before and around its handler. */
const everywhere = {
  400: {
    description: 'The request cannot be read, or a parameter is not valid',
    content: problem,
  },
  431: { description: 'The URL and headers together are too long', content: problem },
  500: { description: 'The hub failed; the log has the instance of the problem', content: problem },
}

/** Descriptions of responses without one of their own, by status. */
const meanings: Readonly<Record<string, string>> = {
  '200': 'The answer',
  '400': everywhere[400].description,
  '401': 'A valid token is required',
  '403': 'The token does not permit this',
  '404': 'The resource does not exist, or the caller cannot see it',
  '408': 'The body did not arrive in time',
  '409': 'The same request is being processed',
  '412': 'The record has changed since the state that If-Match names',
  '413': 'The body is too large',
  '415': 'The media type of the body is not supported',
  '422': 'The request contradicts an earlier one',
  '429': 'Too many requests',
  '503':
    'The hub is busy or its database does not respond; Retry-After specifies when to try again',
  '504': 'Another server did not answer in time',
}

/** The description that @fastify/swagger generates if there is none. */
const unnamed = 'Default Response'

const originHeader = {
  'Access-Control-Allow-Origin': {
    description: 'Any origin may read this (decision D7)',
    schema: { type: 'string', const: '*' },
  },
}

const reference = {
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/Access-Control-Allow-Origin' },
}

function describeResponses(operation: Document): Document {
  const own = Object.entries(fieldsOf(operation['responses']))
  const reported = own.map(([status, response]): [string, Document] => [
    status,
    toProblem(status, fieldsOf(response)),
  ])
  const all: Document = { ...everywhere, ...Object.fromEntries(reported) }
  return { ...operation, responses: all }
}

/** Adds the CORS headers to a response. A referenced response already has them. */
function describeOrigin(response: unknown): Document {
  const { headers, ...rest } = fieldsOf(response)
  if ('$ref' in rest) return rest
  return { ...rest, headers: { ...fieldsOf(headers), ...reference } }
}

/** Gives errors their own media type (RFC 9457, section 3). */
function toProblem(status: string, response: Document): Document {
  const { description, content, ...rest } = response
  const said = description === undefined || description === unnamed ? meanings[status] : description
  const json = fieldsOf(fieldsOf(content)['application/json'])
  const isProblem = fieldsOf(json['schema'])['$ref'] === '#/components/schemas/ProblemDetails'
  return {
    description: said ?? 'The answer',
    ...(isProblem ? { content: problem } : content === undefined ? {} : { content }),
    ...rest,
  }
}
