import { expect, it, vi } from 'vitest'
import { every } from './index.ts'

it('skips runs while one is in progress, and continues until it is stopped', async () => {
  vi.useFakeTimers()
  try {
    const turns: PromiseWithResolvers<undefined>[] = []
    const end = every(1000, () => {
      const turn = Promise.withResolvers<undefined>()
      turns.push(turn)
      return turn.promise
    })
    await vi.advanceTimersByTimeAsync(3500)
    expect(turns).toHaveLength(1)
    turns[0]?.resolve(undefined)
    await vi.advanceTimersByTimeAsync(1000)
    expect(turns).toHaveLength(2)
    turns[1]?.resolve(undefined)
    end()
    await vi.advanceTimersByTimeAsync(5000)
    expect(turns).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})
