import { AppError } from '../../errors/index.ts'

/** Room in memory for bodies, shared by all that come at once. */
export type Room = {
  /**
   * Waits, first come, first served, until so many bytes fit beside what is in hand; what is larger than
   * the whole room has it alone.
   * @returns gives the room back; more than once is as good as once
   * @throws AppError HUB-SRV-007 when there was none for so long
   */
  readonly take: (bytes: number) => Promise<() => void>
}

type Size = {
  readonly bytes: number
  /** Milliseconds that a body may wait. */
  readonly patience: number
}

type Waiting = { readonly bytes: number; readonly enter: () => void }

export function createRoom({ bytes: size, patience }: Size): Room {
  const queue = new Set<Waiting>()
  let used = 0
  const fits = (bytes: number) => used === 0 || used + bytes <= size
  const admitNext = () => {
    for (const next of queue) {
      if (!fits(next.bytes)) return
      queue.delete(next)
      next.enter()
    }
  }
  const occupy = (bytes: number) => {
    used += bytes
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      used -= bytes
      admitNext()
    }
  }
  const wait = async (bytes: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const waiting = { bytes, enter: () => resolve(occupy(bytes)) }
    queue.add(waiting)
    const timer = setTimeout(() => {
      queue.delete(waiting)
      reject(full(patience))
      // Whoever waits behind it may be smaller.
      admitNext()
    }, patience)
    return promise.finally(() => clearTimeout(timer))
  }
  return {
    take: async (bytes) => (queue.size === 0 && fits(bytes) ? occupy(bytes) : wait(bytes)),
  }
}

function full(patience: number): AppError {
  const seconds = String(patience / 1000)
  return new AppError('HUB-SRV-007', `For ${seconds} seconds there was no room for a large body.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After, or in parts.',
    headers: { 'retry-after': '10' },
  })
}
