import type { Entity } from './entity.ts'

/** Absolute address of a record. */
export function itemAddress(publicUrl: string, entity: Entity, id: string): string {
  return `${publicUrl}/v1/${entity.path}/${encodeURIComponent(id)}`
}

/** A page by its number, or by the cursor that the page before it gave. */
type Place = { readonly pagenumber: number } | { readonly cursor: string }

/** Absolute address of the same list at another place; all other parameters are kept. */
export function pageAddress(publicUrl: string, url: string, place: Place): string {
  const address = new URL(url, publicUrl)
  const replaced = /^(?:pagenumber|cursor)$/i
  const spellings = [...address.searchParams.keys()].filter((key) => replaced.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  for (const [name, value] of Object.entries(place)) address.searchParams.set(name, String(value))
  return `${publicUrl}${address.pathname}${address.search}`
}

/** The same request with the seed that was drawn for it, so that its pages are in one order. */
export function withSeed(url: string, seed: string | null): string {
  if (seed === null) return url
  const address = new URL(url, 'http://any')
  const spellings = [...address.searchParams.keys()].filter((key) => /^seed$/i.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  address.searchParams.set('seed', seed)
  return `${address.pathname}${address.search}`
}
