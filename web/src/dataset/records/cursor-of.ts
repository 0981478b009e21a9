/** The cursor of the link to the next page (RFC 8288). */
export function cursorOf(link: string | null): string | undefined {
  const next = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1]
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}
