import type { Condition, Lease, Send } from './connections.ts'
import { conditionAfter, databaseUnreachable, translateError } from './pg-errors.ts'
import type { Perform } from './statements.ts'

/** One connection for the time of a transaction: one statement after the other, until `end`. */
export class HeldConnection {
  readonly #lease: Lease
  readonly #limit: number
  #last: Promise<unknown> = Promise.resolve()
  #condition: Condition = 'usable'
  #ended = false

  /** @param limit milliseconds that each statement may take, 0 for no limit */
  constructor(lease: Lease, limit: number) {
    this.#lease = lease
    this.#limit = limit
  }

  readonly perform: Perform = async (statement, send) => {
    if (this.#ended) throw new Error('This transaction is over: its `tx` was used after its end')
    const turn = this.#last.then(() => this.#send(statement.text, send))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Returns the connection; a broken one is thrown away, which rolls back what was not committed. */
  end(): void {
    this.#ended = true
    this.#lease.end(this.#condition)
  }

  async #send<Result>(text: string, send: Send<Result>): Promise<Result> {
    try {
      if (this.#condition === 'broken') throw databaseUnreachable()
      return await this.#lease.send(send, this.#limit)
    } catch (error) {
      if (conditionAfter(error) === 'broken') this.#condition = 'broken'
      throw translateError(error, text)
    }
  }
}
