import { expect, it } from 'vitest'
import { shareRunning } from './index.ts'

it('runs work once while it is in progress, and again afterwards, failed or not', async () => {
  const share = shareRunning<string>()
  const runs: PromiseWithResolvers<string>[] = []
  const ask = (key: string) =>
    share(key, () => {
      const run = Promise.withResolvers<string>()
      runs.push(run)
      return run.promise
    })
  const asked = [ask('a'), ask('a'), ask('b')]
  runs[0]?.resolve('one')
  runs[1]?.resolve('two')
  expect(await Promise.all(asked)).toEqual(['one', 'one', 'two'])
  const failing = ask('a')
  runs[2]?.reject(new Error('gone'))
  await expect(failing).rejects.toThrow('gone')
  const next = ask('a')
  runs[3]?.resolve('three')
  expect([await next, runs.length]).toEqual(['three', 4])
})
