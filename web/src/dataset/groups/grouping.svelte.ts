import { change, parameter, text, texts } from '../../address/index.ts'
import type { DatasetView } from '../frame/dataset-view.svelte.ts'
import { toGroupsRequest } from '../query/index.ts'
import { aggregatesOf, groupMembers, inLanguage } from './groups.ts'

/**
 * Binds the grouping of a view to the URL and builds its request. Call it during component
 * initialization.
 */
export function groupingOf(view: DatasetView) {
  // Paths are stored like those of columns, with `*` for the language, so that a link groups by the
  // same fields in every language.
  const by = parameter('by', texts())
  const of = parameter('of', text())
  const members = $derived(groupMembers(view.now.all))
  const numbers = $derived(
    members.filter(({ kind, path }) => kind === 'number' && !path.includes('*')),
  )
  const chosen = $derived(
    by.value.flatMap((path) => members.find((one) => one.path === path) ?? []).slice(0, 3),
  )
  const number = $derived(numbers.find(({ path }) => path === of.value))
  const request = $derived.by(() => {
    if (chosen.length === 0) return undefined
    const paths = chosen.map(({ path }) => inLanguage(path, view.now.languages[0] ?? ''))
    const computed = number === undefined ? [] : aggregatesOf(number.path)
    const agg = ['count', ...computed.map(({ written }) => written)].join()
    const grouping = { groupby: paths.join(), agg }
    return { paths, computed, ...toGroupsRequest(view.now.dataset, view.query.records, grouping) }
  })
  const now = $derived({ members, numbers, chosen, number, request })
  return {
    get now() {
      return now
    },
    /** Sets the fields to group by. Without any, the number to aggregate is removed, too. */
    group: (paths: readonly string[]) => {
      change((search) => {
        by.write(search, paths)
        if (paths.length === 0) of.write(search, '')
      }, 'push')
    },
    compute: (path: string) => {
      of.set(path, 'push')
    },
  }
}

export type Grouping = ReturnType<typeof groupingOf>
