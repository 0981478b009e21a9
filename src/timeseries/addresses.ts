/** `PROVINCE_BZ` → `province-bz`: an origin as addresses of feeds name it (decision D54). */
export function toSlug(origin: string): string {
  return origin.toLowerCase().replaceAll('_', '-')
}
