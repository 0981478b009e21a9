import { expect, it } from 'vitest'
import { takeTurns } from './take-turns.ts'

/** Work that a test ends by hand. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { run: () => promise, end: resolve }
}

it('Work waits its turn, and is refused when too much waits', async () => {
  const inTurn = takeTurns({ parallel: 1, waiting: 1 })
  const [first, second] = [work(), work()]
  const begun: string[] = []
  const answers = [
    inTurn(first.run),
    inTurn(() => {
      begun.push('second')
      return second.run()
    }),
  ]
  await expect(inTurn(first.run)).rejects.toMatchObject({
    statusCode: 503,
    error: 'temporarily_unavailable',
  })
  expect(begun).toEqual([])
  first.end('a')
  second.end('b')
  expect(await Promise.all(answers)).toEqual(['a', 'b'])
})

it('Work that fails makes room like any other', async () => {
  const inTurn = takeTurns({ parallel: 2, waiting: 10 })
  const running = { now: 0, most: 0 }
  const asked = Array.from({ length: 10 }, (_, n) =>
    inTurn(async () => {
      running.now += 1
      running.most = Math.max(running.most, running.now)
      await Promise.resolve()
      running.now -= 1
      if (n % 2 === 0) throw new Error('broken')
      return n
    }),
  )
  const ended = await Promise.allSettled(asked)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(running).toEqual({ now: 0, most: 2 })
})
