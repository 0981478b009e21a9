import { choice, parameter, text, texts } from '../address/index.ts'
import type { Parameter } from '../address/index.ts'
import { facetNames } from './find/facets.ts'
import type { Chosen, FacetName } from './find/facets.ts'
import { sorts } from './find/search-datasets.ts'

/** What somebody has chosen in the catalogue; all of it stands in the address. */
export function choices() {
  const search = parameter('q', text())
  const sort = parameter('sort', choice(sorts))
  const facets: Readonly<Record<FacetName, Parameter<readonly string[]>>> = {
    service: parameter('service', texts()),
    topic: parameter('topic', texts()),
    changed: parameter('changed', texts()),
    access: parameter('access', texts()),
    licence: parameter('licence', texts()),
    source: parameter('source', texts()),
    tag: parameter('tag', texts()),
  }
  return {
    search,
    sort,
    facets,
    get chosen(): Chosen {
      return {
        service: facets.service.value,
        topic: facets.topic.value,
        changed: facets.changed.value,
        access: facets.access.value,
        licence: facets.licence.value,
        source: facets.source.value,
        tag: facets.tag.value,
      }
    },
    /** How many values are chosen. */
    get count(): number {
      return facetNames.reduce((sum, name) => sum + facets[name].value.length, 0)
    },
    /** Takes everything back but the order. */
    clear: (all: URLSearchParams): void => {
      search.write(all, '')
      for (const name of facetNames) facets[name].write(all, [])
    },
  }
}
