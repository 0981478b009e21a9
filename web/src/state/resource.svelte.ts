import { isAbort, toFailure } from '../api/index.ts'
import type { Failure } from '../api/index.ts'

/** What is known of something that has to be asked for. */
export type ResourceState<Data> =
  /** `previous` is what was there before, to be shown meanwhile. */
  | { readonly kind: 'loading'; readonly previous: Data | undefined }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly previous: Data | undefined }
  | { readonly kind: 'there'; readonly data: Data; readonly isEmpty: boolean }

export type Resource<Data> = {
  readonly state: ResourceState<Data>
  /** What is there, or was there before. */
  readonly data: Data | undefined
  /** Asks again. */
  readonly reload: () => void
}

type Options<Data> = {
  /** Whether there is nothing to show, though all went well. */
  readonly isEmpty?: (data: Data) => boolean
}

/**
 * Loads something as long as the component is there, and again whenever what it was asked by changes:
 * everything reactive that `load` reads before its first `await`. An older request ends when a newer one
 * begins. Show it with `<Resource of={…}>`.
 */
export function resource<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  { isEmpty = () => false }: Options<Data> = {},
): Resource<Data> {
  let state = $state.raw<ResourceState<Data>>({ kind: 'loading', previous: undefined })
  let attempt = $state(0)
  // What is there must not become something that the next request depends on.
  let latest: Data | undefined

  $effect(() => {
    // Reading it is what makes `reload` ask again.
    void attempt
    const stop = new AbortController()
    state = { kind: 'loading', previous: latest }
    load(stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return
        latest = data
        state = { kind: 'there', data, isEmpty: isEmpty(data) }
      },
      (thrown: unknown) => {
        if (stop.signal.aborted || isAbort(thrown)) return
        state = { kind: 'failed', failure: toFailure(thrown), previous: latest }
        if (!isExpected(thrown)) console.error(thrown)
      },
    )
    return () => {
      stop.abort()
    }
  })

  return {
    get state() {
      return state
    },
    get data() {
      return state.kind === 'there' ? state.data : state.previous
    },
    reload: () => {
      attempt += 1
    },
  }
}

/** A fault of the page itself, which developers want to see. */
function isExpected(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'RequestFailure'
}
