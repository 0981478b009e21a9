import { setImmediate as letOthersRun } from 'node:timers/promises'

/** How long one piece of work holds the event loop, in ms. */
const slice = 5

/** Runs work that is made of small steps to its end, with pauses in which requests are answered. */
export async function inSlices<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - began < slice) continue
    await letOthersRun()
    began = performance.now()
  }
}
