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
