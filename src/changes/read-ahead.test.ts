import { describe, expect, it } from 'vitest'
import { createReadAhead } from './read-ahead.ts'
import type { Step } from './read-ahead.ts'
import type { Page } from './read-page.ts'

const isAwaited = () => true

/** Builds a feed of pages, each with the state of the data at the time of reading. */
function openFeed({ pages = 9, isKnown = true } = {}) {
  const read: number[] = []
  const data = { state: 1, read, faults: new Set<number>() }
  const stepAt = (number: number): Step => ({
    key: String(number),
    version: () => Promise.resolve(isKnown ? String(data.state) : undefined),
    read: () => {
      data.read.push(number)
      if (data.faults.delete(number)) return Promise.reject(new Error('no database'))
      return Promise.resolve(pageOf(number))
    },
    after: () => stepAt(number + 1),
  })
  const pageOf = (number: number): Page => ({
    messages: [`${String(number)} in state ${String(data.state)}`],
    next: { kind: 'changes', xid: BigInt(number), sequence: 0n, time: 0, day: 0 },
    isUpToDate: number === pages,
    horizon: 0n,
  })
  const ahead = createReadAhead()
  const request = async (number: number) => (await ahead(stepAt(number), isAwaited)).messages[0]
  return { data, request }
}

describe('createReadAhead', () => {
  it('reads a page before it is requested once a reader continues', async () => {
    const { data, request } = openFeed()
    await request(1)
    expect(data.read).toEqual([1])
    await request(2)
    expect(data.read).toEqual([1, 2, 3])
    expect(await request(3)).toBe('3 in state 1')
    expect(data.read).toEqual([1, 2, 3, 4])
  })

  it('reads a page again when something has changed since', async () => {
    const { data, request } = openFeed()
    await request(1)
    await request(2)
    data.state = 2
    expect(await request(3)).toBe('3 in state 2')
  })

  it('reads nothing ahead after an unused page, until the reader continues again', async () => {
    const { data, request } = openFeed()
    await request(1)
    await request(2)
    data.state = 2
    await request(3)
    expect(data.read).toEqual([1, 2, 3, 3])
    await request(4)
    expect(data.read).toEqual([1, 2, 3, 3, 4, 5])
  })

  it('serves a page that was read ahead only once', async () => {
    const { data, request } = openFeed()
    await request(1)
    await request(2)
    await request(3)
    data.state = 2
    expect(await request(3)).toBe('3 in state 2')
  })

  it('reads nothing ahead at the end, or of data without a version', async () => {
    const short = openFeed({ pages: 2 })
    await short.request(1)
    await short.request(2)
    expect(short.data.read).toEqual([1, 2])
    const unknown = openFeed({ isKnown: false })
    await unknown.request(1)
    await unknown.request(2)
    await unknown.request(3)
    expect(unknown.data.read).toEqual([1, 2, 3])
  })

  it('reads a page again that could not be read ahead', async () => {
    const { data, request } = openFeed()
    data.faults.add(3)
    await request(1)
    await request(2)
    expect(await request(3)).toBe('3 in state 1')
  })
})
