import { expect, it } from 'vitest'
import { answersAhead } from './answers-ahead.ts'
import type { Answer, GetRequest } from './answers-ahead.ts'

const quota: GetRequest = { path: '/quota' }
const latest: GetRequest = { path: '/v2/latest', query: { where: 'a', limit: -1 } }

/** Answers with the number of the request, unless it is told to fail. */
function begin({ fails = false } = {}) {
  const asked: AbortSignal[] = []
  const clock = { now: 0 }
  const read = async (_: GetRequest, signal: AbortSignal): Promise<Answer> => {
    asked.push(signal)
    const count = asked.length
    await Promise.resolve()
    signal.throwIfAborted()
    if (fails) throw new Error('The hub is away')
    return { json: () => Promise.resolve(count) }
  }
  return { ...answersAhead({ read, now: () => clock.now }), asked, clock }
}

const bodyOf = async (answer: Promise<Answer> | undefined): Promise<unknown> =>
  (await answer)?.json()

it('has an answer on its way, for one who asks the same', async () => {
  const ahead = begin()
  ahead.expect([quota, latest])
  expect(ahead.asked).toHaveLength(2)
  expect(ahead.take({ ...latest, query: { where: 'b', limit: -1 } })).toBeUndefined()
  expect(await bodyOf(ahead.take({ ...latest }))).toBe(2)
  expect(ahead.take(latest)).toBeUndefined()
  expect(await bodyOf(ahead.take(quota))).toBe(1)
})

it('asks once for what is expected twice, and again for what has become old', () => {
  const ahead = begin()
  ahead.expect([quota, latest])
  ahead.expect([latest, quota])
  expect(ahead.asked).toHaveLength(2)
  ahead.clock.now = 5000
  ahead.expect([quota])
  expect(ahead.asked).toHaveLength(3)
  expect(ahead.asked.map(({ aborted }) => aborted)).toEqual([true, true, false])
})

it('has none that has become old', () => {
  const ahead = begin()
  ahead.expect([quota, latest])
  ahead.clock.now = 4999
  expect(ahead.take(quota)).toBeDefined()
  ahead.clock.now = 5000
  expect(ahead.take(latest)).toBeUndefined()
})

it('has none for somebody else, and for another view than is shown next', async () => {
  const ahead = begin()
  ahead.expect([quota])
  ahead.forget()
  expect(ahead.take(quota)).toBeUndefined()
  ahead.expect([quota])
  ahead.expect([latest])
  expect(ahead.take(quota)).toBeUndefined()
  expect(await bodyOf(ahead.take(latest))).toBe(3)
  expect(ahead.asked.map(({ aborted }) => aborted)).toEqual([true, true, false])
})

it('lets who takes it, and nobody else, hear of a failure', async () => {
  const ahead = begin({ fails: true })
  ahead.expect([quota, latest])
  await expect(ahead.take(quota)).rejects.toThrow('The hub is away')
})

it('ends with the signal of who took it, and only that', async () => {
  const ahead = begin()
  ahead.expect([quota, latest])
  const stop = new AbortController()
  const taken = ahead.take(quota, stop.signal)
  stop.abort()
  await expect(taken).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  expect(await bodyOf(ahead.take(latest))).toBe(2)
})

it('stays for others where the caller has gone already', async () => {
  const ahead = begin()
  ahead.expect([quota])
  expect(ahead.take(quota, AbortSignal.abort())).toBeUndefined()
  expect(await bodyOf(ahead.take(quota, new AbortController().signal))).toBe(1)
})

it('requests what comes next once that is known, made of answers that are left for who takes them', async () => {
  const ahead = begin()
  ahead.expect([quota])
  const peeked = ahead.peek(quota)
  expect(ahead.peek(latest)).toBeUndefined()
  await ahead.expectNext(bodyOf(peeked).then(() => [latest]))
  expect(await bodyOf(ahead.take(latest))).toBe(2)
  expect(await bodyOf(ahead.take(quota))).toBe(1)
})

it('requests nothing more once other things are expected', async () => {
  const ahead = begin()
  ahead.expect([quota])
  const next = ahead.expectNext(Promise.resolve([latest]))
  ahead.expect([quota])
  await next
  expect(ahead.asked).toHaveLength(1)
})
