import { describe, expect, it } from 'vitest'
import { fuzz, fuzzTargets } from '../test/fuzz/targets.ts'

describe('texts from callers', () => {
  it.each(fuzzTargets)(
    'are accepted or rejected without a crash: $name',
    { timeout: 60_000 },
    (target) => {
      expect(() => {
        fuzz(target, 2_000)
      }).not.toThrow()
    },
  )

  it('are reported if they crash a reader', () => {
    const [target] = fuzzTargets
    const read = (text: string) => {
      if (text.length > 3) throw new TypeError(`broken by ${text}`)
    }
    expect(() => {
      if (target !== undefined) fuzz({ ...target, read }, 2_000)
    }).toThrow('Property failed')
  })
})
