import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { severities } from '../timeseries/index.ts'
import { tagTypes } from './classify.ts'

it('The documentation of the feed names every kind and severity of events', () => {
  const page = readFileSync(new URL('../../docs/traffic-feed.md', import.meta.url), 'utf8')
  const named = new Set([...page.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name))
  expect([...tagTypes.keys(), ...severities].filter((name) => !named.has(name))).toEqual([])
})
