import { change, parameter, text, texts } from '../../address/index.ts'
import type { DatasetView } from '../frame/dataset-view.svelte.ts'
import { toGroupsRequest } from '../query/index.ts'
import { aggregatesOf, groupMembers, inLanguage } from './groups.ts'

/** By what a view is grouped, which stands in the address, and the request for it. Call it as a component begins. */
export function groupingOf(view: DatasetView) {
  // As columns have them, `*` for the language: who reads another one still groups by the same.
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
    /** Without a field there is no number to compute. */
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
