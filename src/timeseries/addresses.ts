/** Returns an origin as feed URLs spell it: `PROVINCE_BZ` becomes `province-bz` (decision D54). */
export function toSlug(origin: string): string {
  return origin.toLowerCase().replaceAll('_', '-')
}

/**
 * Groups origins by their spelling in URLs, sorted by it. Of several origins with the same URL, the
 * first one owns it.
 */
export function byAddress(origins: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = [...Map.groupBy(origins, toSlug)]
  return new Map(groups.sort(([left], [right]) => (left < right ? -1 : 1)))
}
