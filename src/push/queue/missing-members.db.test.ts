import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { membersOf } from '../mappings/mappings.ts'
import { warnOfMissing } from './missing-members.ts'

describeWithDatabase('Members that a stream used to have', (database) => {
  const push = (members: readonly string[]) =>
    database().transaction((tx) => warnOfMissing(tx, 'acme/weather', members))

  it('are warned of while they are missing, once they were in ten messages in a row', async () => {
    for (let message = 0; message < 10; message++) expect(await push(['wind', 'rain'])).toEqual([])
    expect(await push(['rain', 'snow'])).toMatchObject([
      { index: null, reason: expect.stringContaining('wind, which the last 10 messages') },
    ])
    expect(await push(['rain'])).toHaveLength(1)
    expect(await push(['rain', 'wind'])).toEqual([])
    // Snow was in one message only.
    expect(await push(['wind'])).toMatchObject([{ reason: expect.stringContaining('rain') }])
    expect(await push([])).toEqual([])
  })

  it('are those of canonical objects that have a value', () => {
    const values = { kind: 'measurements', stationType: 'P', items: [['p1', 'free', 't', 1]] }
    const stations = {
      ...{ kind: 'stations', stationType: 'P' },
      items: [{ code: 'a', name: null, metadata: { capacity: 5, owner: '' } }],
    }
    const objects = [values, stations, 'odd', { kind: 'events' }]
    expect(membersOf(objects.map((value) => ({ source: 0, value })))).toEqual([
      'measurements P free',
      'stations P code',
      'stations P metadata.capacity',
    ])
  })
})
