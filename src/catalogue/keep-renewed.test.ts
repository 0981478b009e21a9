import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keepRenewed } from './keep-current.ts'

/** Builds a value that counts how often it was made. The test sets how long that takes. */
function setUp() {
  let time = 1_000_000
  let made = 0
  const set: { took: number; fault: Error | undefined; gate: Promise<void> } = {
    took: 0,
    fault: undefined,
    gate: Promise.resolve(),
  }
  const told: unknown[] = []
  const kept = keepRenewed({
    now: () => new Date(time),
    onError: (error) => told.push(error),
    make: async () => {
      const number = (made += 1)
      await set.gate
      time += set.took
      if (set.fault !== undefined) throw set.fault
      return number
    },
  })
  const settle = () => setImmediate()
  return { kept, set, told, pass: (ms: number) => (time += ms), made: () => made, settle }
}

describe('A value that is kept up to date', () => {
  it('is computed again on the first request after five seconds, not before', async () => {
    const { kept, pass } = setUp()
    expect(await kept.get()).toBe(1)
    pass(4999)
    expect(await kept.get()).toBe(1)
    pass(1)
    expect(await kept.get()).toBe(2)
  })

  it('is computed once for all requests that arrive during the computation', async () => {
    const { kept, set, pass, made } = setUp()
    const gate = Promise.withResolvers<undefined>()
    set.gate = gate.promise
    const first = kept.get()
    pass(90_000)
    const all = [first, kept.get(), kept.renew()]
    gate.resolve(undefined)
    await Promise.all(all)
    expect(made()).toBe(1)
  })

  it('is being computed at most a twentieth of the time, requested or renewed', async () => {
    const { kept, set, pass, made, settle } = setUp()
    set.took = 30_000
    await kept.get()
    pass(569_000)
    await kept.get()
    await kept.renew()
    expect(made()).toBe(1)
    pass(1000)
    expect(await kept.get()).toBe(1)
    await settle()
    expect(made()).toBe(2)
    expect(await kept.get()).toBe(2)
  })

  it.each([0, 1000])(
    'is returned as last computed while a computation of %i ms fails',
    async (took) => {
      const { kept, set, pass, told, settle } = setUp()
      set.took = took
      await kept.get()
      set.fault = new Error('no database')
      pass(20_000)
      expect(await kept.get()).toBe(1)
      await settle()
      expect(told).toEqual([set.fault])
      // Nor does every request try again.
      await kept.get()
      await settle()
      expect(told).toHaveLength(1)
      set.fault = undefined
      pass(20_000)
      await kept.get()
      await settle()
      expect(await kept.get()).toBe(3)
    },
  )

  it('is no longer returned after ten minutes of failures', async () => {
    const { kept, set, pass } = setUp()
    await kept.get()
    set.fault = new Error('no database')
    pass(5000)
    expect(await kept.get()).toBe(1)
    pass(600_000)
    await expect(kept.get()).rejects.toThrow('no database')
  })

  it('is computed by the next request if no computation has succeeded yet', async () => {
    const { kept, set, told } = setUp()
    set.fault = new Error('no database')
    await expect(kept.get()).rejects.toThrow('no database')
    await expect(kept.renew()).rejects.toThrow('no database')
    set.fault = undefined
    expect(await kept.get()).toBe(3)
    expect(told).toEqual([])
  })
})
