/** The path of a link: the hub writes whole addresses, and the page may be reached by another name. */
export function pathOfLink(link: string | undefined): string | undefined {
  if (link === undefined) return undefined
  const found = /^https?:\/\/[^/]+(?<path>\/.*)?$/.exec(link)
  return found === null ? link : (found.groups?.['path'] ?? '/')
}
