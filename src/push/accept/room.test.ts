import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRoom } from './room.ts'
import type { Room } from './room.ts'

const patience = 30

/** Asks for room, and notes when it is there. */
function asker(room: Room) {
  const inside: string[] = []
  const enter = async (name: string, bytes: number) => {
    const leave = await room.take(bytes)
    inside.push(name)
    return leave
  }
  return { inside, enter }
}

it('is given while bodies fit, then in the order of asking', async () => {
  const { inside, enter } = asker(createRoom({ bytes: 10, patience: 10_000 }))
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

it('is given whole to what is larger', async () => {
  const { inside, enter } = asker(createRoom({ bytes: 10, patience: 10_000 }))
  const leave = await enter('small', 1)
  const large = enter('large', 50)
  await turn()
  expect(inside).toEqual(['small'])
  leave()
  ;(await large)()
  await enter('next', 10)
})

it('is refused after a while, and those behind have their turn', async () => {
  const { enter } = asker(createRoom({ bytes: 10, patience }))
  await enter('first', 6)
  const large = enter('large', 10)
  const small = enter('small', 2)
  await expect(large).rejects.toMatchObject({ code: 'HUB-SRV-007', status: 503 })
  await small
})
