import type { Sql } from '../sql/index.ts'

/** So many texts are remembered as seen once, for each that can get a name. */
const candidates = 4

/**
 * Names for statements worth preparing: on PostgreSQL they run 1.4 times as fast. A text gets its
 * name when it is seen for the second time, and only the first `limit` texts get one, because every
 * connection keeps every named statement. A statement without values stays unnamed: it may be a
 * script of several (a migration), and those cannot be prepared.
 */
export function preparedNames(limit = 500): (statement: Sql) => string | undefined {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return ({ text, values }) => {
    if (values.length === 0) return undefined
    const name = names.get(text)
    if (name !== undefined || names.size >= limit) return name
    if (seenOnce.delete(text)) {
      const given = `hub_${String(names.size + 1)}`
      names.set(text, given)
      return given
    }
    if (seenOnce.size >= candidates * limit) deleteOldest(seenOnce)
    seenOnce.add(text)
    return undefined
  }
}

/** A set keeps the order in which its members came. */
function deleteOldest(texts: Set<string>): void {
  for (const oldest of texts) {
    texts.delete(oldest)
    return
  }
}
