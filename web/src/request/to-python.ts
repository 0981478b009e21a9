import { bodyKindOf } from './snippets.ts'
import { absoluteAddress, bearer, headersOf } from './described-request.ts'
import type { DescribedRequest } from './described-request.ts'

/** The request for Python 3 with its own library: nothing to install. */
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
    `    ${reading[kind]}`,
  ].join('\n')
}

const reading = {
  json: 'data = json.load(response)',
  text: 'text = response.read().decode()',
  bytes: 'content = response.read()',
} as const

/** A string literal: what JSON escapes, Python reads alike, but for characters beyond the plane. */
export function quoteForPython(text: string): string {
  return JSON.stringify(text)
}
