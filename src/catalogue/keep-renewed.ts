/** A value in memory that is made anew while it is asked for. */
export type Renewed<Value> = {
  /** The last value where it is new enough or the next one takes long; otherwise the next one. */
  readonly get: () => Promise<Value>
  /** Makes the next one where it is time to. @throws what went wrong with the first one */
  readonly renew: () => Promise<void>
}

type Renewing<Value> = {
  readonly make: () => Promise<Value>
  readonly now: () => Date
  /** Told when the next one could not be made while the last one is answered. */
  readonly onError: (error: unknown) => void
}

/** How old a value that is asked for gets, in ms. */
export const shortestAge = 5_000
/** Where making one takes long, it takes no larger share of the time than one in so many. */
const share = 20
/** What is made within so many ms is waited for; otherwise the last one is answered meanwhile. */
const shortWait = 150
/** Once making one has gone wrong for so many ms, the last one is no longer answered. */
const longestFailing = 600_000

type Last<Value> = { readonly value: Value; readonly took: number }

/** Keeps a value current. One is made at a time: whoever asks meanwhile shares it. */
export function keepRenewed<Value>({ make, now, onError }: Renewing<Value>): Renewed<Value> {
  let last: Last<Value> | undefined
  let underWay: Promise<Value> | undefined
  let failingSince: number | undefined
  let rest = { since: 0, wait: 0 }
  const time = () => now().getTime()
  const makeNext = async () => {
    const began = time()
    try {
      const value = await make()
      last = { value, took: Math.max(0, time() - began) }
      failingSince = undefined
      return value
    } catch (error) {
      failingSince ??= time()
      if (last !== undefined) onError(error)
      throw error
    } finally {
      rest = { since: began, wait: Math.max(shortestAge, share * (time() - began)) }
      underWay = undefined
    }
  }
  const next = () => (underWay ??= makeNext())
  const isDue = () => Math.abs(time() - rest.since) >= rest.wait
  const isFailing = () => failingSince !== undefined && time() - failingSince >= longestFailing
  return {
    get: async () => {
      if (last === undefined || isFailing()) return next()
      const { value, took } = last
      if (!isDue()) return value
      const following = next().catch(() => value)
      return took <= shortWait ? following : value
    },
    renew: async () => {
      if (last === undefined) await next()
      // What goes wrong has been told.
      else if (isDue()) await next().catch(() => undefined)
    },
  }
}
