/** What storing an object writes, and what it looks up, each by a key of its own. */
export type Footprint = {
  readonly writes: readonly string[]
  readonly reads: readonly string[]
}

/** An object that only goes alone: what it does depends on all that is stored. */
export const alone = 'alone'

/**
 * Neighbours in sets that may be stored at once, with the outcome of storing one after the other: in a
 * set none writes what another writes or reads.
 */
export function inSets<One>(
  ones: readonly One[],
  footprintOf: (one: One) => Footprint | typeof alone,
): readonly (readonly One[])[] {
  const sets: One[][] = []
  let [written, read] = [new Set<string>(), new Set<string>()]
  let isOpen = false
  for (const one of ones) {
    const footprint = footprintOf(one)
    const { writes, reads } = footprint === alone ? nothing : footprint
    const isApart =
      footprint === alone ||
      writes.some((key) => written.has(key) || read.has(key)) ||
      reads.some((key) => written.has(key))
    const last = sets.at(-1)
    if (isOpen && !isApart && last !== undefined) last.push(one)
    else {
      sets.push([one])
      ;[written, read] = [new Set(), new Set()]
    }
    for (const key of writes) written.add(key)
    for (const key of reads) read.add(key)
    isOpen = footprint !== alone
  }
  return sets
}

export const nothing: Footprint = { writes: [], reads: [] }
