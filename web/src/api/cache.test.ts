import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Cache, forgetPerson } from './cache.ts'

/** Builds a cache whose values are the numbers of their requests, unless loading has to fail. */
function begin({ fails = false, most = 10 } = {}) {
  const signals: AbortSignal[] = []
  const load = async (signal: AbortSignal): Promise<number> => {
    signals.push(signal)
    const count = signals.length
    await Promise.resolve()
    signal.throwIfAborted()
    if (fails) throw new Error('The hub is away')
    return count
  }
  const kept = new Cache<number>({ fresh: 5000, most })
  const get = (key: string, signal?: AbortSignal) => kept.get(key, load, signal)
  const expectIt = (key: string) => {
    kept.expect(key, load)
  }
  return { kept, get, expectIt, signals, ended: () => signals.map(({ aborted }) => aborted) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('loads once for all callers of a key, even if it was prefetched', async () => {
  const { kept, get, expectIt, signals } = begin()
  expectIt('a')
  expect(kept.has('a')).toBe(false)
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual([1, 1, 2])
  expect(kept.has('a')).toBe(true)
  expect(signals).toHaveLength(2)
})

it('reloads a value that has expired, was dropped or was forgotten', async () => {
  const { kept, get } = begin()
  expect(await get('a')).toBe(1)
  await vi.advanceTimersByTimeAsync(4999)
  expect(await get('a')).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await get('a')).toBe(2)
  kept.drop('a')
  expect(await get('a')).toBe(3)
  kept.forget()
  expect(await get('a')).toBe(4)
})

it('reloads a value that expired while the tab was frozen and timers were stopped', async () => {
  const { kept, get } = begin()
  await get('a')
  vi.setSystemTime(Date.now() + 5000)
  expect(kept.has('a')).toBe(false)
  expect(await get('a')).toBe(2)
})

it('keeps nothing of a previous user', async () => {
  const { kept, get, expectIt, ended } = begin()
  await get('a')
  expectIt('b')
  forgetPerson()
  expect(kept.has('a')).toBe(false)
  expect(await get('a')).toBe(3)
  expect(ended()).toEqual([false, true, false])
})

it('does not keep a failure, and reports it only to waiting callers', async () => {
  const { get, expectIt, signals } = begin({ fails: true })
  expectIt('a')
  await vi.advanceTimersByTimeAsync(0)
  await expect(get('a')).rejects.toThrow('The hub is away')
  expect(signals).toHaveLength(2)
})

it('aborts a request when its last caller has aborted', async () => {
  const { get, ended } = begin()
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = [get('a', first.signal), get('a', second.signal)] as const
  first.abort()
  expect(ended()).toEqual([false])
  second.abort()
  expect(ended()).toEqual([true])
  for (const one of waiting)
    await expect(one).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  expect(await get('a')).toBe(2)
})

it('sends no request for a caller that has already aborted', async () => {
  const { get, signals } = begin()
  await expect(get('a', AbortSignal.abort())).rejects.toThrow()
  expect(signals).toEqual([])
})

it('aborts prefetches without a caller, except those still expected', async () => {
  const { get, expectIt, kept, ended } = begin()
  for (const key of ['a', 'b', 'c']) expectIt(key)
  const stays = get('b', new AbortController().signal)
  kept.endOthers(new Set(['c']))
  expect(ended()).toEqual([true, false, false])
  expect(await stays).toBe(2)
})

it('aborts a forgotten request as soon as no caller waits for it', async () => {
  const { get, expectIt, kept, ended } = begin()
  const stop = new AbortController()
  expectIt('a')
  const waiting = get('b', stop.signal)
  kept.forget()
  expect(ended()).toEqual([true, false])
  stop.abort()
  expect(ended()).toEqual([true, true])
  await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

it('forgets the oldest values when there are too many', async () => {
  const { get, kept } = begin({ most: 2 })
  for (const key of ['a', 'b', 'c']) await get(key)
  expect(['a', 'b', 'c'].map((key) => kept.has(key))).toEqual([false, true, true])
})
