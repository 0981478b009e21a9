import { toFailure } from '../api/index.ts'
import type { Failure } from '../api/index.ts'

/** What somebody has done now and then, such as saving: whether it is under way, and why it failed the last time. */
export function attempts() {
  const now = $state<{ isBusy: boolean; failure: Failure | undefined }>({
    isBusy: false,
    failure: undefined,
  })
  return {
    now,
    /** @returns whether it is done */
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
