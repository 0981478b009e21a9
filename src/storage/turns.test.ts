import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

const late = () => new Error('too late')

describe('Turns', () => {
  it('gives the turn to one at a time, in the order in which they came', async () => {
    const turns = new Turns()
    const order: number[] = []
    let inside = 0
    const visit = async (number: number) => {
      const end = await turns.take(1000, late)
      expect(++inside).toBe(1)
      order.push(number)
      await Promise.resolve()
      inside--
      end()
    }
    await Promise.all([1, 2, 3, 4].map(visit))
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('refuses who has waited too long, and the next one still gets the turn', async () => {
    const turns = new Turns()
    const end = await turns.take(1000, late)
    const second = turns.take(10, late)
    const third = turns.take(1000, late)
    await expect(second).rejects.toThrow('too late')
    end()
    await expect(third).resolves.toBeTypeOf('function')
  })

  it('refuses all who wait at once; who comes later waits again', async () => {
    const turns = new Turns()
    const end = await turns.take(1000, late)
    const waiting = turns.take(1000, late)
    turns.refuseAll(() => new Error('restarting'))
    const later = turns.take(1000, late)
    await expect(waiting).rejects.toThrow('restarting')
    end()
    await expect(later).resolves.toBeTypeOf('function')
  })
})
