import { absoluteAddress, bearer, headersOf } from './described-request.ts'
import type { DescribedRequest } from './described-request.ts'

/** The request for a POSIX shell. The token is a variable of the shell. */
export function toCurl(request: DescribedRequest, publicUrl: string): string {
  const headers = headersOf(request).map(([name, value]) =>
    value === bearer ? `-H "${name}: ${value}"` : `-H ${quoteForShell(`${name}: ${value}`)}`,
  )
  const body =
    request.body === undefined ? [] : [`-d ${quoteForShell(JSON.stringify(request.body))}`]
  const { method: verb = 'GET' } = request
  // With a body curl sends POST by itself.
  const method = verb === (body.length === 0 ? 'GET' : 'POST') ? [] : [`-X ${verb}`]
  const parts = [...method, quoteForShell(absoluteAddress(request, publicUrl)), ...headers, ...body]
  return `curl ${parts.join(' \\\n  ')}`
}

/** In single quotes nothing means anything but the quote itself (POSIX, 2.2.2). */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
