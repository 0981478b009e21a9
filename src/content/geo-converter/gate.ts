import { AppError } from '../../errors/index.ts'

/** Lets so many pieces of work run at a time, and refuses more. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

/** @throws AppError HUB-GEO-006 (503) with `Retry-After` where too many run already */
export function createGate(most: number): Gate {
  let running = 0
  return async (work) => {
    if (running >= most) {
      throw new AppError('HUB-GEO-006', `${String(most)} files are being converted already.`, {
        headers: { 'retry-after': '5' },
      })
    }
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
}
