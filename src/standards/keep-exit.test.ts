import { describe, expect, it } from 'vitest'
import type { CurrentStations } from '../timeseries/index.ts'
import { keepExit, toDocument } from './keep-exit.ts'
import type { Built, Exit } from './keep-exit.ts'

const stations: CurrentStations = {
  stations: [],
}

/**
 * Creates an exit without stations that counts its builds. Each build takes the configured number
 * of ticks.
 */
function anExit() {
  const state = {
    version: '1',
    rights: { kind: 'rules', rules: [] } as const,
    ticks: 0,
    took: 0,
    loads: 0,
    failures: 0,
  }
  const builds: Built[] = []
  const exit: Exit = {
    name: 'test',
    concerned: { types: ['P'], dataTypes: [] },
    offers: [],
    *build() {
      state.ticks += state.took
      yield
      const body = `${state.version} ${String(builds.length)}`
      const document = toDocument({ body, type: 'text/plain', changed: new Date(0) })
      return { documents: new Map([['/a', document]]), published: 0, leftOut: [] }
    },
  }
  const source = {
    rights: () => state.rights,
    isPartial: () => false,
    version: () => Promise.resolve(state.version),
    load: () => {
      state.ticks += state.loads
      return state.failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve(stations)
    },
  }
  const ticks = () => (state.ticks += 20)
  const onBuild = (_exit: Exit, built: Built) => builds.push(built)
  return { ...keepExit(exit, { source, onBuild, now: () => new Date(0), ticks }), state, builds }
}

describe('keepExit', () => {
  it('builds once for all callers until the version changes', async () => {
    const { get, builds, state } = anExit()
    const found = await Promise.all([get(), get(), get()])
    expect(new Set(found).size).toBe(1)
    await get()
    expect(builds).toHaveLength(1)
    state.version = '2'
    expect(await get()).not.toBe(found[0])
    expect(builds).toHaveLength(2)
  })

  it('rebuilds immediately when rights change', async () => {
    const { get, builds, state } = anExit()
    state.took = 1000
    await get()
    state.rights = { ...state.rights }
    await get()
    expect(builds).toHaveLength(2)
  })

  it.each(['took', 'loads'] as const)(
    'pauses after a slow build, for at most half a second: %s',
    async (what) => {
      const { get, builds, state } = anExit()
      state[what] = 400
      const first = await get()
      state.version = '2'
      expect(await get()).toBe(first)
      state.ticks += 500
      expect(await get()).not.toBe(first)
      expect(builds).toHaveLength(2)
    },
  )

  it('retries after a failure', async () => {
    const { get, builds, state } = anExit()
    state.failures = 1
    await expect(get()).rejects.toThrow('away')
    await get()
    expect(builds).toHaveLength(1)
  })
})
