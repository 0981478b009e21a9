import { expect, it } from 'vitest'
import { choose, countStates } from './filter.ts'
import type { Choice } from './filter.ts'
import { sampleEvent } from './sample-event.ts'

const all: Choice = { kinds: [], severity: '', road: '', provider: '', state: '', text: '' }
const now = 1_800_000

const active = sampleEvent({ id: 'active' })
const worse = sampleEvent({ id: 'worse', severity: 'highest' })
const coming = sampleEvent({ id: 'coming', start: now + 1, kinds: ['road-work'], road: 'SS49' })
const past = sampleEvent({ id: 'past', end: now, text: { de: 'Größe bei Völs' } })
const events = [past, coming, active, worse]

const ids = (choice: Partial<Choice>) =>
  choose(events, { ...all, ...choice }, now).map(({ id }) => id)

it('lists active events first, the worst on top, then coming and past ones', () => {
  expect(ids({})).toEqual(['worse', 'active', 'coming', 'past'])
})

it('matches any of the selected kinds, and all other choices', () => {
  expect(ids({ kinds: ['road-work', 'fog'] })).toEqual(['coming'])
  expect(ids({ road: 'SS12', state: 'active' })).toEqual(['worse', 'active'])
  expect(ids({ severity: 'highest' })).toEqual(['worse'])
  expect(ids({ provider: 'province-bz', state: 'past' })).toEqual(['past'])
  expect(ids({ provider: 'other' })).toEqual([])
})

it('finds words in any language, ignoring case and accents', () => {
  expect(ids({ text: 'GROSSE' })).toEqual([])
  expect(ids({ text: 'volS gröss' })).toEqual([])
  expect(ids({ text: 'vols größe' })).toEqual(['past'])
  expect(ids({ text: 'chiusura ss49' })).toEqual(['coming'])
})

it('counts each state of the matching events, whichever is selected', () => {
  expect(countStates(events, { ...all, state: 'past', road: 'SS12' }, now)).toEqual({
    ...{ active: 2, coming: 0, past: 1 },
  })
})
