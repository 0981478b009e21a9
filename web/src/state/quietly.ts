import type { Resource } from './resource.svelte.ts'

/**
 * The same resource, whose renewals are not shown or said: what is there stands as it is until the newer
 * comes, or fails. `isRenewal` says whether what is asked for now is the same again.
 */
export function quietly<Data>(of: Resource<Data>, isRenewal: () => boolean): Resource<Data> {
  return {
    get state() {
      const { state, shown } = of
      const isQuiet = state.kind === 'loading' && shown !== undefined && isRenewal()
      return isQuiet ? { kind: 'there' as const, ...shown } : state
    },
    get data() {
      return of.data
    },
    get shown() {
      return of.shown
    },
    reload: of.reload,
  }
}
