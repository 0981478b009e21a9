import { isCounted } from './count-requests.ts'

type Document = Readonly<Record<string, unknown>>

const integer = { type: 'integer', minimum: 0, maximum: 2_147_483_647 }
const text = { type: 'string', maxLength: 200 }

/** The headers of decision D63, as the document names them. */
const headers = {
  'RateLimit-Policy': {
    description:
      'Name of the kind of caller, requests (q) in a window of so many seconds (w); draft-ietf-httpapi-ratelimit-headers-10',
    schema: { ...text, examples: ['"Basic";q=50;w=1'] },
  },
  RateLimit: {
    description: 'What is left in this window (r), and seconds until it ends (t)',
    schema: { ...text, examples: ['"Basic";r=49;t=1'] },
  },
  'X-Rate-Limit-Policy': { description: 'Name of the kind of caller', schema: text },
  'X-Rate-Limit-Limit': { description: 'Requests in a window', schema: integer },
  'X-Rate-Limit-Remaining': { description: 'Requests left in this window', schema: integer },
  'X-Rate-Limit-Reset': { description: 'Seconds until this window ends', schema: integer },
} as const

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: integer } }

const refused = {
  description:
    'The quota of requests in a second is exhausted (then with Retry-After), or the range of history is too long',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message', 'hint', 'policy'],
        properties: {
          message: text,
          hint: { ...text, format: 'uri', description: 'Page that explains the quota' },
          policy: { ...text, description: 'Kind of caller; GET /quota tells more' },
          retryAfter: { ...integer, description: 'Seconds to wait' },
        },
      },
    },
  },
}

const responseName = 'QuotaExceeded'

const toReferences = (names: object) =>
  Object.fromEntries(
    Object.keys(names).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

/** Adds to an OpenAPI document, for each address that counts, the 429 and the headers of quotas. */
export function describeQuota(document: Document): Document {
  const components = asDocument(document['components'])
  const paths = Object.entries(asDocument(document['paths']))
  return {
    ...document,
    components: {
      ...components,
      headers: { ...asDocument(components['headers']), ...headers, ...retryAfter },
      responses: {
        ...asDocument(components['responses']),
        [responseName]: { ...refused, headers: toReferences({ ...headers, ...retryAfter }) },
      },
    },
    paths: Object.fromEntries(
      paths.map(([path, operations]) => [
        path,
        isCounted(path) ? mapValues(asDocument(operations), describeOperation) : operations,
      ]),
    ),
  }
}

function describeOperation(operation: unknown): unknown {
  const known = asDocument(operation)
  const { 429: _own, ...responses } = asDocument(known['responses'])
  const told = mapValues(responses, (response) => {
    const one = asDocument(response)
    if ('$ref' in one) return one
    return { ...one, headers: { ...asDocument(one['headers']), ...toReferences(headers) } }
  })
  const exceeded = { $ref: `#/components/responses/${responseName}` }
  return { ...known, responses: { ...told, 429: exceeded } }
}

function mapValues(document: Document, map: (value: unknown) => unknown): Document {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, map(value)]))
}

function asDocument(value: unknown): Document {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
