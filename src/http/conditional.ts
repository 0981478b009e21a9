import { hash } from 'node:crypto'

/** A weak entity tag over everything that shapes an answer: version, request, caller's rights. */
export function weakEtag(parts: readonly string[]): string {
  const digest = hash('sha256', parts.join('\u0000'), 'base64url')
  return `W/"${digest.slice(0, 22)}"`
}

/** Whether `If-None-Match` names this tag; comparison is weak (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
