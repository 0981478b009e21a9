/** Values of a query; those that are undefined or empty are left out, several of a name are repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | undefined | readonly (string | number)[]>
>

/** An address of the hub with its query: `/v1/Event?pagesize=10`. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== '') search.append(name, String(one))
    }
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}
