import { expect, it } from 'vitest'
import { toVersions } from './to-versions.ts'

const first = {
  evtransactiontime: '2026-10-26 19:20:00.000+0000',
  evstart: '2026-10-26 19:20:00.000+0000',
}
const ended = {
  ...first,
  evtransactiontime: '2026-10-26 21:40:00.000+0000',
  evend: '2026-10-26 21:40:00.000+0000',
}

it('lists the states of an event, newest first, with the changes of each', () => {
  const [newest, oldest] = toVersions([ended, first])
  expect(newest).toMatchObject({ number: 2, changed: ['end'] })
  expect(newest?.end?.toISOString()).toBe('2026-10-26T21:40:00.000Z')
  expect(oldest).toMatchObject({ number: 1, changed: [], end: undefined })
})
