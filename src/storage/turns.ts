import { AppError } from '../errors/index.ts'
import type { Connections } from './connections.ts'

type Waiting = {
  readonly go: (release: () => void) => void
  readonly refuse: (error: Error) => void
}

/** So many at once, one by default; first come, first served. */
export class Turns {
  readonly #waiting: Waiting[] = []
  #free: number

  constructor(places = 1) {
    this.#free = places
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Waits for the turn and resolves with the function that ends it.
   * @param patience milliseconds; who has waited so long is refused with `late()`
   */
  take(patience: number, late: () => Error): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(late())
      }, patience)
      const waiting: Waiting = {
        go: (release) => {
          clearTimeout(timer)
          resolve(release)
        },
        refuse: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      this.#waiting.push(waiting)
      this.#next()
    })
  }

  /** Refuses all who wait now; who comes later waits again. */
  refuseAll(error: () => Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(error())
  }

  #next(): void {
    const waiting = this.#free > 0 ? this.#waiting.shift() : undefined
    if (waiting === undefined) return
    this.#free--
    waiting.go(() => {
      this.#free++
      this.#next()
    })
  }
}

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
  const turns = new Turns(places)
  return () => {
    let isAdmitted = false
    return {
      lease: async () => {
        if (!isAdmitted && turns.waiting >= mostWaiting) throw tooManyHeavy()
        isAdmitted = true
        const endTurn = await turns.take(patience, tooManyHeavy)
        try {
          const lease = await connections.lease()
          return {
            send: lease.send,
            end: (condition) => {
              lease.end(condition)
              endTurn()
            },
          }
        } catch (error) {
          endTurn()
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
