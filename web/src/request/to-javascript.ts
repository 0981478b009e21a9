import { bodyKindOf } from './body-kind.ts'
import { absoluteAddress, bearer, headersOf } from './described-request.ts'
import type { DescribedRequest } from './described-request.ts'

/** The request for browsers, Node and Deno alike. */
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

/** A string literal, as JSON writes it, in single quotes. */
function quote(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)
  return `'${inner.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)}'`
}
