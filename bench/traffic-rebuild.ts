import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadEvents } from '../src/timeseries/index.ts'
import { TrafficFeed } from '../src/traffic/index.ts'
import { loadTrafficEvents, origin, trafficEvent } from './fixtures/traffic-events.ts'
import { comparison } from './harness/bench.ts'
import { seconds } from './harness/conditions.ts'

const execute = promisify(execFile)

const everything = { kind: 'everything' } as const

/** Time from a changed event to the bytes of the whole feed. */
export const trafficRebuild = comparison({
  name: 'traffic-rebuild',
  title: 'Rebuilding a feed of 1,000 situations after one change ÷ xmllint --noout parsing it',
  // Corresponds to at most twice the time.
  goal: 0.5,
  unit: 'documents/s',
  prepare: async (environment) => {
    await loadTrafficEvents(environment)
    const { database } = environment.store
    const events = [...(await loadEvents(database.read, origin, everything))]
    const state = { version: 0, milliseconds: 0, builds: 0 }
    const feed = new TrafficFeed({
      country: 'it',
      language: 'it',
      titleEnd: '. ',
      // Time and version advance with every call, so that no request is served from the cache.
      ticks: () => (state.version += 1) * 1000,
      onBuild: ({ milliseconds }) => {
        state.milliseconds += milliseconds
        state.builds += 1
      },
      source: {
        version: () => Promise.resolve(String(state.version)),
        isSettled: () => Promise.resolve(true),
        loadOrigins: () => Promise.resolve([origin]),
        loadEvents: () => Promise.resolve(events.map((event) => ({ ...event }))),
      },
    })
    const document = await feed.document('bench-1', new Date())
    const file = join(environment.postgresql.folder, 'feed.xml')
    await writeFile(file, document?.xml ?? '')
    return { feed, events, state, file }
  },
  ours: async ({ feed, events, state }) => {
    Object.assign(state, { milliseconds: 0, builds: 0 })
    const began = performance.now()
    for (let told = 1; performance.now() - began < seconds * 1000; told++) {
      const place = (told * 7) % events.length
      const event = events[place]
      if (event === undefined) throw new Error('There are no events.')
      const { text } = trafficEvent(place, told)
      events[place] = { ...event, text, recorded: new Date(), version: event.version + 1 }
      await feed.document('bench-1', new Date())
    }
    return (state.builds / state.milliseconds) * 1000
  },
  limit: async ({ file }) => {
    const timing = /(\d+) iterations took (\d+) ms/
    const { stderr } = await execute('xmllint', ['--noout', '--timing', '--repeat', file])
    const [, iterations, milliseconds] = timing.exec(stderr) ?? []
    return (Number(iterations) / Number(milliseconds)) * 1000
  },
})
