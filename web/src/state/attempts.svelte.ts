import { toFailure } from '../api/index.ts'
import type { Failure } from '../api/index.ts'

/**
 * Tracks an action that the user triggers, such as saving: whether it is running, and why the last
 * attempt failed.
 */
export function attempts() {
  const now = $state<{ isBusy: boolean; failure: Failure | undefined }>({
    isBusy: false,
    failure: undefined,
  })
  return {
    now,
    /** @returns whether the action succeeded */
    run: async (work: () => Promise<unknown>): Promise<boolean> => {
      Object.assign(now, { isBusy: true, failure: undefined })
      const failure = await work().then(
        () => undefined,
        (thrown: unknown) => toFailure(thrown),
      )
      Object.assign(now, { isBusy: false, failure })
      return failure === undefined
    },
  }
}
