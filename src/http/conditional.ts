import { hash } from 'node:crypto'

/** A weak entity tag over everything that shapes an answer: version, request, caller's rights. */
export function weakEtag(parts: readonly string[]): string {
  return `W/"${digestOf(parts)}"`
}

/**
 * The tag of one record in one form: what stands before the dot changes with the record, what stands
 * after it with the form. So a writer may have read any form of the record (`matchesRevision`).
 */
export function recordEtag(revision: readonly string[], form: readonly string[]): string {
  return `W/"${digestOf(revision)}.${digestOf(form)}"`
}

function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\u0000'), 'base64url').slice(0, 22)
}

/** Whether `If-None-Match` names this tag; comparison is weak (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

/** Whether `If-Match` names this revision of a record, in whatever form it was read. */
export function matchesRevision(ifMatch: string, revision: readonly string[]): boolean {
  const wanted = digestOf(revision)
  const revisionOf = (tag: string) => /^(?:W\/)?"([\w-]+)\.[\w-]*"$/.exec(tag.trim())?.[1]
  return ifMatch.split(',').some((tag) => tag.trim() === '*' || revisionOf(tag) === wanted)
}
