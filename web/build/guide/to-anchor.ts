/** Anchors of the headings of a page, as GitHub makes them: links work at both places. */
export function anchors(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${String(count)}`
  }
}
