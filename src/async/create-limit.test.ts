import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLimit } from './index.ts'
import type { Limit } from './index.ts'

const refuse = () => new Error('too much')

/** Records who was let in. */
function visitor(limit: Limit) {
  const inside: string[] = []
  const enter = async (name: string, weight: number) => {
    const leave = await limit.enter({ weight })
    inside.push(name)
    return leave
  }
  return { inside, enter }
}

/** Runs short jobs, of which every second one fails. */
async function running(limit: Limit, count: number) {
  const order: number[] = []
  const seen = { now: 0, most: 0, order }
  const all = Array.from({ length: count }, (_, n) =>
    limit.run(async () => {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      order.push(n)
      await Promise.resolve()
      seen.now -= 1
      if (n % 2 === 1) throw new Error('broken')
      return n
    }),
  )
  const ended = await Promise.allSettled(all)
  return { ...seen, fulfilled: ended.filter(({ status }) => status === 'fulfilled').length }
}

describe('A limit', () => {
  it('runs jobs one at a time in order of arrival, also after one that fails', async () => {
    const seen = await running(createLimit({ places: 1 }), 5)
    expect(seen).toEqual({ now: 0, most: 1, order: [0, 1, 2, 3, 4], fulfilled: 3 })
  })

  it('runs as many jobs at once as it has places', async () => {
    expect(await running(createLimit({ places: 2 }), 10)).toMatchObject({ most: 2, fulfilled: 5 })
  })

  it('refuses new jobs when too many wait', async () => {
    const limit = createLimit({ places: 1, maxWaiting: 1, refuse })
    const leave = await limit.enter()
    const second = limit.enter()
    await expect(limit.enter()).rejects.toThrow('too much')
    expect(limit.waiting()).toBe(1)
    leave()
    await second
    expect(limit.waiting()).toBe(0)
  })

  it('admits jobs that fit, then in order of arrival', async () => {
    const { inside, enter } = visitor(createLimit({ places: 10 }))
    const leaveFirst = await enter('first', 6)
    await enter('second', 4)
    const third = enter('third', 5)
    const fourth = enter('fourth', 1)
    await turn()
    expect(inside).toEqual(['first', 'second'])
    leaveFirst()
    leaveFirst()
    await Promise.all([third, fourth])
    expect(inside).toEqual(['first', 'second', 'third', 'fourth'])
    const fifth = enter('fifth', 1)
    await turn()
    expect(inside).not.toContain('fifth')
    ;(await third)()
    await fifth
  })

  it('gives all places to a job that needs more', async () => {
    const { inside, enter } = visitor(createLimit({ places: 10 }))
    const leave = await enter('small', 1)
    const large = enter('large', 50)
    await turn()
    expect(inside).toEqual(['small'])
    leave()
    ;(await large)()
    await enter('next', 10)
  })

  it('refuses jobs that waited too long, and admits those behind them', async () => {
    const limit = createLimit({ places: 10, patience: 10, refuse })
    await limit.enter({ weight: 6 })
    const large = limit.enter({ weight: 10 })
    const other = limit.enter({ weight: 9, refuse: () => new Error('stopping') })
    const small = limit.enter({ weight: 2 })
    await expect(large).rejects.toThrow('too much')
    await expect(other).rejects.toThrow('stopping')
    await small
  })

  it('refuses all waiting jobs on request, and later jobs wait again', async () => {
    const limit = createLimit({ places: 1 })
    const leave = await limit.enter()
    const waiting = limit.enter()
    limit.refuseAll(() => new Error('restarting'))
    const later = limit.enter()
    await expect(waiting).rejects.toThrow('restarting')
    leave()
    await expect(later).resolves.toBeTypeOf('function')
  })
})
