type Waiting = {
  readonly go: (release: () => void) => void
  readonly refuse: (error: Error) => void
}

/** One after the other, first come, first served. */
export class Turns {
  readonly #waiting: Waiting[] = []
  #taken = false

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
      if (!this.#taken) this.#next()
    })
  }

  /** Refuses all who wait now; who comes later waits again. */
  refuseAll(error: () => Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(error())
  }

  #next(): void {
    const waiting = this.#waiting.shift()
    this.#taken = waiting !== undefined
    waiting?.go(() => {
      this.#next()
    })
  }
}
