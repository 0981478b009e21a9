import type { Entity } from './entity.ts'

/** Absolute address of a record. */
export function itemAddress(publicUrl: string, entity: Entity, id: string): string {
  return `${publicUrl}/v1/${entity.path}/${encodeURIComponent(id)}`
}

/** Absolute address of the same list with another page number; all other parameters are kept. */
export function pageAddress(publicUrl: string, url: string, pageNumber: number): string {
  const address = new URL(url, publicUrl)
  const spellings = [...address.searchParams.keys()].filter((key) => /^pagenumber$/i.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  address.searchParams.set('pagenumber', String(pageNumber))
  return `${publicUrl}${address.pathname}${address.search}`
}
