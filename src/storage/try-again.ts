import { isPassing } from './pg-errors.ts'

const mostAttempts = 5

/**
 * Does work again that failed for a reason that passes: two transactions met, each with what the other
 * one needed, and one had to give way.
 * @throws what the last attempt threw
 */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || !isPassing(error)) throw error
    }
  }
}
