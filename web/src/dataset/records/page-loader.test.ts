import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RequestFailure } from '../../api/failure.ts'
import type { Failure } from '../../api/failure.ts'
import { PageLoader } from './page-loader.ts'
import type { Wish } from './page-loader.ts'

type Page = { readonly number: number }

type Call = Wish & {
  readonly signal: AbortSignal
  readonly answer: () => Promise<void>
  readonly fail: (failure: Failure) => Promise<void>
}

const last = 40

function start() {
  const calls: Call[] = []
  const failures: (Failure | undefined)[] = []
  let pages: ReadonlyMap<number, Page> = new Map()
  const loader = new PageLoader<Page>({
    load: (wish, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Page>()
      signal.addEventListener('abort', () => {
        reject(new DOMException('', 'AbortError'))
      })
      const settle = () => vi.advanceTimersByTimeAsync(0).then(() => undefined)
      calls.push({
        ...wish,
        signal,
        answer: () => {
          resolve({ number: wish.page })
          return settle()
        },
        fail: (failure) => {
          reject(new RequestFailure(failure))
          return settle()
        },
      })
      return promise
    },
    cursorOf: ({ number }) => `after ${number}`,
    countOf: () => last,
    onpages: (next) => (pages = next),
    onfailure: (failure) => failures.push(failure),
    patience: 100,
  })
  return { loader, calls, failures, kept: () => [...pages.keys()].toSorted((a, b) => a - b) }
}

const asked = (calls: readonly Call[]) => calls.map(({ page }) => page)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('The first page is requested immediately, and alone', async () => {
  const { loader, calls } = start()
  loader.want(0, 0)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked(calls)).toEqual([0])
})

test('After the first page, the next page is prefetched by its cursor', async () => {
  const { loader, calls, kept } = start()
  loader.want(0, 0)
  await vi.advanceTimersByTimeAsync(0)
  await calls[0]?.answer()
  loader.want(0, 0)
  await vi.advanceTimersByTimeAsync(100)
  expect(calls[1]).toMatchObject({ page: 1, cursor: 'after 0' })
  await calls[1]?.answer()
  expect(kept()).toEqual([0, 1])
})

async function withFirst() {
  const started = start()
  started.loader.want(0, 0)
  await vi.advanceTimersByTimeAsync(0)
  await started.calls[0]?.answer()
  return started
}

test('Nothing is requested during fast scrolling', async () => {
  const { loader, calls } = await withFirst()
  for (let page = 1; page < 30; page++) {
    loader.want(page, page)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(asked(calls)).toEqual([0])
  await vi.advanceTimersByTimeAsync(100)
  expect(asked(calls)).toEqual([0, 29, 30])
  expect(calls[1]?.cursor).toBeUndefined()
})

test('Requests for pages out of view are aborted', async () => {
  const { loader, calls, failures } = await withFirst()
  loader.want(10, 10)
  await vi.advanceTimersByTimeAsync(100)
  loader.want(20, 20)
  await vi.advanceTimersByTimeAsync(100)
  const aborted = calls.filter(({ signal }) => signal.aborted)
  expect(asked(aborted)).toEqual([10, 11])
  expect(failures.filter((failure) => failure !== undefined)).toEqual([])
})

test('At most two requests run at a time', async () => {
  const { loader, calls } = await withFirst()
  loader.want(5, 9)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked(calls)).toEqual([0, 5, 6])
  await calls[1]?.answer()
  expect(asked(calls)).toEqual([0, 5, 6, 7])
})

test('Pages far from the view are forgotten', async () => {
  const { loader, calls, kept } = await withFirst()
  for (let page = 1; page < 30; page++) {
    loader.want(page, page)
    await vi.advanceTimersByTimeAsync(100)
    for (const call of calls) await call.answer()
  }
  expect(kept().length).toBeLessThanOrEqual(12)
  expect(kept()).toContain(29)
  expect(kept()).not.toContain(0)
})

test('No page is requested after the last one', async () => {
  const { loader, calls } = await withFirst()
  loader.want(last - 1, last - 1)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked(calls)).toEqual([0, last - 1, last - 2])
})

test('After a failure, nothing is requested until a retry', async () => {
  const { loader, calls, failures } = await withFirst()
  loader.want(3, 3)
  await vi.advanceTimersByTimeAsync(100)
  await calls[1]?.fail({ kind: 'tooMany', retryAfter: 2 })
  expect(failures.at(-1)).toEqual({ kind: 'tooMany', retryAfter: 2 })
  loader.want(4, 4)
  await vi.advanceTimersByTimeAsync(100)
  const before = calls.length
  await vi.advanceTimersByTimeAsync(1000)
  expect(calls).toHaveLength(before)
  loader.retry()
  expect(asked(calls.slice(before))).toEqual([5])
})

test('Stopping aborts all requests', async () => {
  const { loader, calls } = await withFirst()
  loader.want(3, 3)
  await vi.advanceTimersByTimeAsync(100)
  loader.stop()
  expect(calls.slice(1).every(({ signal }) => signal.aborted)).toBe(true)
})
