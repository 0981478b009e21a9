import { createLimit } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import type { Connections } from './connections.ts'

type Line = {
  /** Statements that run at once. */
  readonly places: number
  /** Milliseconds that a statement waits for its place. */
  readonly patience: number
}

/** Requests that may wait for their first statement. */
const mostWaiting = 16

/**
 * Connections for requests that may keep the database busy for seconds: few of their statements run at once, so
 * that those of others hardly wait for them (decision D70). Each request gets its own from the function: its first
 * statement is refused while many wait, and those that follow are not, so an answer that has begun goes on.
 * @throws AppError HUB-SRV-008 from `lease`, when too many wait or one has waited too long
 */
export function heavyLine(connections: Connections, { places, patience }: Line): () => Connections {
  const limit = createLimit({ places, patience, refuse: tooManyHeavy })
  return () => {
    let isAdmitted = false
    return {
      lease: async () => {
        if (!isAdmitted && limit.waiting() >= mostWaiting) throw tooManyHeavy()
        isAdmitted = true
        const leave = await limit.enter()
        try {
          const lease = await connections.lease()
          return {
            send: lease.send,
            end: (condition) => {
              lease.end(condition)
              leave()
            },
          }
        } catch (error) {
          leave()
          throw error
        }
      },
      close: () => connections.close(),
    }
  }
}

function tooManyHeavy(): AppError {
  return new AppError('HUB-SRV-008', 'Too many requests that take long wait for the database.', {
    hint: 'Try again after the time in Retry-After, or ask for less: a shorter range, a smaller circle, fewer conditions.',
    headers: { 'Retry-After': '10' },
  })
}
