type Place = {
  readonly publicUrl: string
  readonly id: string
  /** Below `/datasets`. */
  readonly page: string
}

/** An identifier as a path: its parts may hold any character. */
function toPath(id: string): string {
  const [service = '', ...type] = id.split('/')
  return `${service}/${encodeURIComponent(type.join('/'))}`
}

/** The addresses that every dataset has. `{id}` and its like are to be replaced. */
export function linksTo({ publicUrl, id, page }: Place): Readonly<Record<string, string>> {
  const self = `${publicUrl}/catalogue/${toPath(id)}`
  return {
    self,
    members: `${self}/members`,
    values: `${self}/values`,
    miniature: `${self}/miniature.svg`,
    page: `${publicUrl}/datasets/${toPath(page)}`,
  }
}
