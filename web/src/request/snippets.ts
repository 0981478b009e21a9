import { absoluteAddress, bearer, headersOf } from './described-request.ts'
import type { DescribedRequest } from './described-request.ts'

/** Returns the request as a curl command for a POSIX shell. The token is a shell variable. */
export function toCurl(request: DescribedRequest, publicUrl: string): string {
  const headers = headersOf(request).map(([name, value]) =>
    value === bearer ? `-H "${name}: ${value}"` : `-H ${quoteForShell(`${name}: ${value}`)}`,
  )
  const body =
    request.body === undefined ? [] : [`-d ${quoteForShell(JSON.stringify(request.body))}`]
  const { method: verb = 'GET' } = request
  // With a body, curl sends POST by default.
  const method = verb === (body.length === 0 ? 'GET' : 'POST') ? [] : [`-X ${verb}`]
  const parts = [...method, quoteForShell(absoluteAddress(request, publicUrl)), ...headers, ...body]
  return `curl ${parts.join(' \\\n  ')}`
}

/**
 * Quotes a text for the shell. Within single quotes only the quote itself is special (POSIX,
 * 2.2.2).
 */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns the request as JavaScript for browsers, Node and Deno. */
export function toJavascript(request: DescribedRequest, publicUrl: string): string {
  const address = quote(absoluteAddress(request, publicUrl))
  const headers = headersOf(request).map(([name, value]) =>
    value === bearer
      ? `    ${name}: \`Bearer \${token}\`,`
      : `    ${quote(name)}: ${quote(value)},`,
  )
  const { method = 'GET' } = request
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(request.body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(request.body)}),`]),
  ]
  const call =
    options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n${options.join('\n')}\n})`
  return [
    `const response = await ${call}`,
    `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
    reading[bodyKindOf(request)],
  ].join('\n')
}

const reading = {
  json: 'const data = await response.json()',
  text: 'const text = await response.text()',
  bytes: 'const bytes = new Uint8Array(await response.arrayBuffer())',
} as const

/** Returns a string literal in single quotes, with the escapes of JSON. */
function quote(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)
  return `'${inner.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)}'`
}

/** How a program reads the body of a response. */
type BodyKind = 'json' | 'text' | 'bytes'

/** Values of `format=` whose response is not a single JSON document. */
const formats: Readonly<Record<string, BodyKind>> = {
  csv: 'text',
  ndjson: 'text',
  arrow: 'bytes',
  parquet: 'bytes',
}

/**
 * Determines how to read the response: by `format` in the query, or else by the requested media
 * type.
 */
function bodyKindOf({ query, accept }: DescribedRequest): BodyKind {
  const named = query?.['format']
  if (named !== undefined && named !== '') return formats[String(named)] ?? 'json'
  const [type = ''] = (accept ?? 'application/json').toLowerCase().split(/[,;]/)
  return kindOfType(type.trim())
}

function kindOfType(type: string): BodyKind {
  if (type === '' || type === '*/*' || /^[^/]+\/([^/]+\+)?json$/.test(type)) return 'json'
  // JSON lines are not a single JSON document.
  const isText = /^text\/|[/+]xml$|^application\/(x-)?(ndjson|jsonl)$/.test(type)
  return isText ? 'text' : 'bytes'
}

/** Returns the request as Python 3 that needs only the standard library. */
export function toPython(request: DescribedRequest, publicUrl: string): string {
  const headers = headersOf(request).map(([name, value]) =>
    value === bearer
      ? `${quoteForPython(name)}: f"Bearer {token}"`
      : `${quoteForPython(name)}: ${quoteForPython(value)}`,
  )
  const body = request.body === undefined ? undefined : quoteForPython(JSON.stringify(request.body))
  const { method = 'GET' } = request
  const parts = [
    quoteForPython(absoluteAddress(request, publicUrl)),
    ...(body === undefined ? [] : [`data=${body}.encode()`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(method === 'GET' ? [] : [`method="${method}"`]),
  ]
  const kind = bodyKindOf(request)
  return [
    ...(kind === 'json' ? ['import json'] : []),
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(${parts.length === 1 ? parts.join('') : `\n    ${parts.join(',\n    ')},\n`})`,
    'with urlopen(request) as response:',
    `    ${reads[kind]}`,
  ].join('\n')
}

const reads = {
  json: 'data = json.load(response)',
  text: 'text = response.read().decode()',
  bytes: 'content = response.read()',
} as const

/**
 * Returns a string literal. The escapes of JSON mean the same in Python, except for surrogate
 * pairs, which `JSON.stringify` does not produce.
 */
export function quoteForPython(text: string): string {
  return JSON.stringify(text)
}
