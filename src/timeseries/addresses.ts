/** `PROVINCE_BZ` → `province-bz`: an origin as addresses of feeds name it (decision D54). */
export function toSlug(origin: string): string {
  return origin.toLowerCase().replaceAll('_', '-')
}

/** Origins by their address, the addresses in alphabetical order; of several with one address the first one has it. */
export function byAddress(origins: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = [...Map.groupBy(origins, toSlug)]
  return new Map(groups.sort(([left], [right]) => (left < right ? -1 : 1)))
}
