import { describe, expect, it } from 'vitest'
import { shareLoads } from './keep-current.ts'

function setUp() {
  let time = 0
  const loads: PromiseWithResolvers<string>[] = []
  const ask = shareLoads({
    age: 2500,
    now: () => new Date(time),
    load: () => {
      const one = Promise.withResolvers<string>()
      loads.push(one)
      return one.promise
    },
  })
  return { ask, loads, pass: (ms: number) => (time += ms) }
}

describe('Shared loads', () => {
  it('serve every caller while in progress, and for a while after completion', async () => {
    const { ask, loads, pass } = setUp()
    const first = ask()
    pass(60_000)
    const second = ask()
    loads[0]?.resolve('one')
    expect(await Promise.all([first, second])).toEqual(['one', 'one'])
    pass(2499)
    expect(await ask()).toBe('one')
    pass(1)
    void ask()
    expect(loads).toHaveLength(2)
  })

  it('are not kept after a failure', async () => {
    const { ask, loads } = setUp()
    const failed = ask()
    loads[0]?.reject(new Error('gone'))
    await expect(failed).rejects.toThrow('gone')
    const next = ask()
    loads[1]?.resolve('two')
    expect(await next).toBe('two')
  })
})
