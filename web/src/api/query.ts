/** Values of a query; those that are undefined or empty are left out, several of a name are repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | undefined | readonly (string | number)[]>
>

/**
 * An address of the hub with its query: `/v1/Event?pagesize=10`. Commas, colons, slashes and parentheses
 * mean nothing in a query (RFC 3986, section 3.4), so people read them as they are.
 */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== '') search.append(name, String(one))
    }
  }
  const text = search.toString().replaceAll(/%(2C|3A|2F|28|29|40)/g, decodeURIComponent)
  return text === '' ? path : `${path}?${text}`
}

/** The path of a link: the hub writes whole addresses, and the page may be reached by another name. */
export function pathOfLink(link: string | undefined): string | undefined {
  if (link === undefined) return undefined
  const found = /^https?:\/\/[^/]+(?<path>\/.*)?$/.exec(link)
  return found === null ? link : (found.groups?.['path'] ?? '/')
}

/** A text of `where`: a backslash protects quotes and itself (docs/time-series.md). */
export function quoteForWhere(text: string): string {
  return `"${text.replaceAll(/["'\\]/g, String.raw`\$&`)}"`
}

/** A pattern of `where` that finds a text as it is. */
export function quotePattern(text: string): string {
  return quoteForWhere(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
}
