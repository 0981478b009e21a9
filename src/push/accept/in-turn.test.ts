import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTurn } from './in-turn.ts'

it('does one thing after the other, also after one that fails', async () => {
  const turn = inTurn()
  const seen: string[] = []
  const work = (name: string, milliseconds: number) => async () => {
    seen.push(`${name} begins`)
    await pause(milliseconds)
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b fails')
    return name
  }
  const all = [turn(work('a', 20)), turn(work('b', 10)), turn(work('c', 1))]
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled'],
  ])
  const order = ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`])
  expect(seen).toEqual(order)
})
