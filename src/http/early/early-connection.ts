import type { Socket } from 'node:net'
import type { AnswerEarly, EarlyAnswer } from './early-answer.ts'

/** What answers a request. */
export type Found = { readonly answer: AnswerEarly; readonly route: string; readonly url: string }

/** An answer on its way. */
export type Given = {
  readonly found: Found
  readonly answer: EarlyAnswer
  /** When the request had come (`performance.now`). */
  readonly since: number
}

/** Whether the connection waits for another request. */
export type Persistence = 'keep-alive' | 'close'

/** A request whose answer is promised. */
type Asked = Omit<Given, 'answer'> & { readonly bytes: Buffer }

/** The server that connections come to, as far as they need to know it. */
export type Door = {
  /** What answers a request, given as its bytes; undefined for whatever is HTTP's. */
  readonly find: (bytes: Buffer) => Found | undefined
  /** Writes an answer; false when the caller should read before there is another one. */
  readonly write: (socket: Socket, given: Given, persistence: Persistence) => boolean
  /** Gives the connection to Node's HTTP server. */
  readonly handOver: (socket: Socket) => void
  /** Whether the server is being closed: the framework says so to whoever still asks. */
  readonly isClosed: () => boolean
  /** Milliseconds after which a connection ends that has had an answer and asks for nothing more. */
  readonly keepAlive: number
}

/** Milliseconds after which a connection that has said nothing yet is HTTP's, which has a patience of its own. */
const silence = 1000

/**
 * A connection that has asked for nothing but what can be answered early. With the first other request
 * it becomes one of Node's HTTP server, for good.
 */
export class EarlyConnection {
  readonly #socket: Socket
  readonly #door: Door
  /** The last request, which who polls sends again as it was. */
  #last: { readonly bytes: Buffer; readonly found: Found } | undefined
  #isWaiting = false
  readonly #listeners: ReadonlyMap<string, (bytes: Buffer) => void>

  constructor(socket: Socket, door: Door) {
    this.#socket = socket
    this.#door = door
    this.#listeners = new Map<string, (bytes: Buffer) => void>([
      ['data', (bytes) => this.#take(bytes)],
      ['drain', () => this.#goOn()],
      ['end', () => socket.end()],
      ['timeout', () => this.#tire()],
      // What fails is closed by itself.
      ['error', () => undefined],
    ])
    for (const [event, listener] of this.#listeners) socket.on(event, listener)
    socket.setTimeout(silence)
  }

  /** Ends it when it has had its answers; what has not asked yet is HTTP's. */
  close(): void {
    if (this.#isWaiting) return
    if (this.#last === undefined) this.#handOver()
    else this.#socket.destroySoon()
  }

  #take(bytes: Buffer): void {
    const since = performance.now()
    try {
      const found = this.#door.isClosed() ? undefined : this.#find(bytes)
      const answer = found?.answer()
      if (found === undefined || answer === undefined) this.#handOver(bytes)
      else if (answer instanceof Promise) this.#wait({ found, since, bytes }, answer)
      else this.#give({ found, since, answer })
    } catch {
      // The framework meets the same fault, tells the caller and logs it.
      this.#handOver(bytes)
    }
  }

  #find(bytes: Buffer): Found | undefined {
    if (this.#last?.bytes.equals(bytes) === true) return this.#last.found
    const found = this.#door.find(bytes)
    if (found === undefined) return undefined
    if (this.#last === undefined) this.#socket.setTimeout(this.#door.keepAlive)
    this.#last = { bytes, found }
    return found
  }

  #give(given: Given): void {
    const persistence = this.#door.isClosed() ? 'close' : 'keep-alive'
    const isTaken = this.#door.write(this.#socket, given, persistence)
    if (persistence === 'close') this.#socket.destroySoon()
    else if (!isTaken) this.#socket.pause()
  }

  /** Reads nothing more until the answer is there. */
  #wait({ found, since, bytes }: Asked, promised: Promise<EarlyAnswer | undefined>): void {
    this.#isWaiting = true
    this.#socket.pause()
    const settle = (answer: EarlyAnswer | undefined) => {
      this.#isWaiting = false
      if (this.#socket.destroyed) return
      if (answer === undefined) {
        this.#handOver(bytes)
        return
      }
      this.#give({ found, since, answer })
      this.#goOn()
    }
    promised.then(settle).catch(() => {
      settle(undefined)
    })
  }

  #goOn(): void {
    if (!this.#isWaiting && !this.#socket.writableNeedDrain) this.#socket.resume()
  }

  /** Who is slow to read an answer has all the time that HTTP would give. */
  #tire(): void {
    if (this.#isWaiting || this.#socket.writableLength > 0) return
    if (this.#last === undefined) this.#handOver()
    else this.#socket.destroy()
  }

  /** With the bytes of a request that HTTP has to read instead. */
  #handOver(bytes?: Buffer): void {
    const socket = this.#socket
    for (const [event, listener] of this.#listeners) socket.off(event, listener)
    socket.setTimeout(0)
    socket.pause()
    if (bytes !== undefined) socket.unshift(bytes)
    this.#door.handOver(socket)
    socket.resume()
  }
}
