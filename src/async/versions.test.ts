import { describe, expect, it } from 'vitest'
import { Versions } from './index.ts'

describe('Versions', () => {
  it('runs one query at a time for concurrent callers', async () => {
    let questions = 0
    const answer = Promise.withResolvers<string>()
    const load = () => {
      questions += 1
      return answer.promise
    }
    const versions = new Versions(load, () => 0)
    const asked = [versions.ask(), versions.ask()]
    answer.resolve('7')
    expect(await Promise.all(asked)).toEqual(['7', '7'])
    expect(questions).toBe(1)
    expect(versions.fresh()).toBe('7')
  })

  it('measures the age of a version from the start of its query', async () => {
    const clock = { ticks: 0 }
    const load = () => {
      clock.ticks += 30
      return Promise.resolve('7')
    }
    const versions = new Versions(load, () => clock.ticks)
    expect(await versions.ask()).toBe('7')
    expect(versions.fresh()).toBeUndefined()
  })

  it('passes on the failure of a first query, and queries again', async () => {
    let away = true
    const load = () => (away ? Promise.reject(new Error('away')) : Promise.resolve('7'))
    const versions = new Versions(load, () => 0)
    await expect(versions.ask()).rejects.toThrow('away')
    away = false
    expect(await versions.ask()).toBe('7')
  })
})
