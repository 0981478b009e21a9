/** What is run at once. Its kind is that of its last message, which alone asks for an answer. */
export type Batch = {
  readonly kind: 'startup' | 'query' | 'sync' | 'flush' | 'terminate'
  readonly bytes: Buffer
}

/** Messages that end a batch, by their first byte (PostgreSQL, "Message Formats"). */
const ends: ReadonlyMap<number | undefined, Batch['kind']> = new Map([
  [0x51, 'query'], // Q
  [0x53, 'sync'], // S
  [0x48, 'flush'], // H
  [0x58, 'terminate'], // X
])

/**
 * Cuts the bytes of a client into batches: the messages of an extended query up to its Sync, or one
 * simple query. Takes time linear in the bytes, in however small pieces a large message arrives.
 */
export class MessageBatches {
  #pieces: Buffer[] = []
  #size = 0
  /** So many bytes complete the next message, or tell how long it is. */
  #needed = 0
  /** The first message of a connection has no letter before its length. */
  #header: 0 | 1 = 0
  readonly #messages: Buffer[] = []

  /** Takes what arrived and answers what it completes. */
  push(piece: Buffer): readonly Batch[] {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size < this.#needed) return []
    const complete: Batch[] = []
    let bytes = Buffer.concat(this.#pieces)
    while (bytes.length >= (this.#needed = this.#messageLength(bytes))) {
      const batch = this.#add(bytes.subarray(0, this.#needed))
      if (batch !== undefined) complete.push(batch)
      bytes = bytes.subarray(this.#needed)
    }
    this.#pieces = [bytes]
    this.#size = bytes.length
    return complete
  }

  /** Of the message at the start of `bytes`; of its header while that is not all there. */
  #messageLength(bytes: Buffer): number {
    const header = this.#header + 4
    if (bytes.length < header) return header
    return Math.max(header, this.#header + bytes.readInt32BE(this.#header))
  }

  #add(message: Buffer): Batch | undefined {
    const kind = this.#header === 0 ? 'startup' : ends.get(message[0])
    this.#header = 1
    this.#messages.push(message)
    if (kind === undefined) return undefined
    return { kind, bytes: Buffer.concat(this.#messages.splice(0)) }
  }
}
