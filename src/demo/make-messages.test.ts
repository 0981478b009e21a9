import { describe, expect, it } from 'vitest'
import { toNaming } from '../content/index.ts'
import type { CanonicalObject } from './canonical.ts'
import { makeMessages, planRegion } from './index.ts'
import type { RegionTask } from './index.ts'

const until = new Date('2026-11-20T12:00:00Z')
const plan = { seed: 5, scale: 0.02, until, naming: toNaming('Hub'), publicUrl: 'http://hub.test' }
const { signal } = new AbortController()

async function linesOf(part: RegionTask['part']): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { body } of makeMessages({ part, plan }, signal)) {
    lines.push(...new TextDecoder().decode(body).split('\n'))
  }
  return lines
}

const written = (objects: Iterable<CanonicalObject>) =>
  [...objects].map((object) => JSON.stringify(object))

describe('the messages of a region', { timeout: 30_000 }, () => {
  const region = planRegion(plan)

  it('contain its history in order, one object per line', async () => {
    expect(await linesOf('history')).toEqual(written(region.measurements()))
  })

  it('contain everything else in the order in which it has to be stored', async () => {
    const { content, availability, dataTypes, stations, edges, events } = region
    const parts = [content(), availability(), dataTypes(), stations(), edges(), events()]
    expect(await linesOf('present')).toEqual(parts.flatMap(written))
  })

  it.each(['present', 'history'] as const)(
    'state their number of items, and the total number in the %s',
    async (part) => {
      let done = 0
      const totals = new Set<number>()
      for await (const { items, total } of makeMessages({ part, plan }, signal)) {
        done += items
        totals.add(total)
      }
      expect([...totals]).toEqual([done])
    },
  )

  it('stay small: a message ends with the object that brings it to a megabyte', async () => {
    const large = { ...plan, scale: 0.5 }
    for await (const { body } of makeMessages({ part: 'present', plan: large }, signal)) {
      expect(body.length).toBeLessThan(5_000_000)
    }
  })

  it('stop when they are aborted, however many remain', async () => {
    const large = { ...plan, scale: 2 }
    const stopping = new AbortController()
    const messages = makeMessages({ part: 'present', plan: large }, stopping.signal)
    expect((await messages.next()).done).toBe(false)
    stopping.abort()
    const stored = (async () => {
      for await (const { items } of messages) expect(items).toBeGreaterThan(0)
    })()
    await expect(stored).rejects.toThrow('aborted')
    await expect(makeMessages({ part: 'history', plan }, stopping.signal).next()).rejects.toThrow()
  })
})
