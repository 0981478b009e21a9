/** Query parameters. Undefined and empty values are omitted; a list repeats its name. */
export type Query = Readonly<
  Record<string, string | number | boolean | undefined | readonly (string | number)[]>
>

/**
 * Returns a URL of the hub, relative to its root: `/v1/Event?pagesize=10`. Commas, colons, slashes
 * and parentheses have no special meaning in a query (RFC 3986, section 3.4), so they stay
 * unencoded to be readable.
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

/**
 * Returns the path of a link. The hub writes absolute URLs, but the page may be served under
 * another host name.
 */
export function pathOfLink(link: string | undefined): string | undefined {
  if (link === undefined) return undefined
  const found = /^https?:\/\/[^/]+(?<path>\/.*)?$/.exec(link)
  return found === null ? link : (found.groups?.['path'] ?? '/')
}

/** Quotes a text for `where`. A backslash escapes quotes and itself (docs/time-series.md). */
export function quoteForWhere(text: string): string {
  return `"${text.replaceAll(/["'\\]/g, String.raw`\$&`)}"`
}

/** Quotes a regular expression for `where` that matches a text literally. */
export function quotePattern(text: string): string {
  return quoteForWhere(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
}
