import type { Language } from '../../language/choose-language.ts'
import type { Found } from './search-datasets.ts'

export const sorts = ['fitting', 'title', 'changed', 'count'] as const

export type Sort = (typeof sorts)[number]

/** Puts what was found in order; what is equal keeps the order of the hub. */
export function sortDatasets(
  found: readonly Found[],
  { sort, language }: { readonly sort: Sort; readonly language: Language },
): readonly Found[] {
  const compare: Readonly<Record<Sort, (a: Found, b: Found) => number>> = {
    fitting: (a, b) => b.score - a.score,
    title: ({ dataset: a }, { dataset: b }) =>
      a.title[language].localeCompare(b.title[language], language),
    changed: ({ dataset: a }, { dataset: b }) => timeOf(b.updated) - timeOf(a.updated),
    count: ({ dataset: a }, { dataset: b }) => (b.count ?? -1) - (a.count ?? -1),
  }
  return found.toSorted(compare[sort])
}

function timeOf(updated: string | null): number {
  return updated === null ? 0 : Date.parse(updated) || 0
}

/** What was found, by service, in the order of the hub. */
export function byService(found: readonly Found[]) {
  const services = [...new Set(found.map(({ dataset }) => dataset.service))]
  return services.map((service) => ({
    service,
    found: found.filter(({ dataset }) => dataset.service === service),
  }))
}
