import { describe, expect, it } from 'vitest'
import { rememberAnswers } from './details.ts'

const answer = { body: 'x', etag: '', type: 'text/plain' }

describe('Cached responses', () => {
  it('are computed once for all callers, until their input changes', async () => {
    const remember = rememberAnswers(10)
    let made = 0
    const ask = (basis: readonly unknown[]) =>
      remember({ key: 'a', basis, make: async () => ({ ...answer, body: String((made += 1)) }) })
    const [tags, sources] = [new Map(), new Map()]
    const both = await Promise.all([ask([tags, sources]), ask([tags, sources])])
    expect(both.map(({ body }) => body)).toEqual(['1', '1'])
    expect((await ask([new Map(), sources])).body).toBe('2')
  })

  it('are computed again after a failure', async () => {
    const remember = rememberAnswers(10)
    const failing = remember({ key: 'a', basis: [], make: () => Promise.reject(new Error('gone')) })
    await expect(failing).rejects.toThrow('gone')
    const make = () => Promise.resolve(answer)
    expect(await remember({ key: 'a', basis: [], make })).toEqual(answer)
  })
})
