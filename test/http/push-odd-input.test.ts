import { expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'

const time = '2026-11-20T10:15:00Z'

const tags = (...items: readonly unknown[]) => ({ kind: 'content', entity: 'Tag', items })
const types = (...items: readonly unknown[]) => ({ kind: 'dataTypes', items })
const events = (...items: readonly unknown[]) => ({ kind: 'events', origin: 'E', items })

/**
 * Creates a text of four-byte characters that does not compress, so that it fills an index entry.
 */
const wide = (length: number) =>
  Array.from({ length }, (_, place) =>
    String.fromCodePoint(0x20000 + ((place * 7919) % 40_000)),
  ).join('')

describeWithDatabase('a push with unusual input', (database) => {
  const hub = usePushingHub(database)

  it('stores long texts, even in indexed fields', async () => {
    const long = 'n'.repeat(10_000)
    const name = wide(200)
    const receipt = await hub.push([
      tags({ Id: wide(200), Shortname: long, MainEntity: wide(10_000) }),
      tags({ Id: wide(200), Shortname: wide(250), MainEntity: wide(250) }),
      {
        kind: 'content',
        entity: 'GeoShape',
        items: [{ Id: wide(200), Name: wide(250), Type: wide(250) }],
      },
      {
        kind: 'content',
        entity: 'Accommodation',
        items: [{ Id: wide(200), Shortname: wide(250) }],
      },
      types({ name, unit: long, type: long, description: long }),
      { kind: 'stations', stationType: name, origin: name, items: [{ code: name, name }] },
      {
        ...{ kind: 'measurements', stationType: name, period: 1 },
        provenance: { name, version: wide(128), lineage: name },
        items: [[name, name, time, wide(100_000)]],
      },
      { kind: 'edges', edgeType: wide(254), origin: name, items: [{ code: name }] },
      {
        ...{ kind: 'events', origin: name },
        items: [{ uuid: wide(128), series: wide(127), tags: [name], category: long }],
      },
    ])
    expect(receipt).toMatchObject({ stored: 9, rejected: [] })
  })

  it('stores times in every zone and precision', async () => {
    const zones = [
      '2026-11-20T10:15+2030',
      '2026-11-20T24:00:00Z',
      '2026-11-20T10:15:00.1234-23:59',
    ]
    const items = zones.map((start, place) => ({ uuid: `m${String(place)}`, start, end: start }))
    const message = { ...events(...items), origin: 'ZONES' }
    expect(await hub.push([message])).toMatchObject({ stored: 3, rejected: [] })
    expect(await hub.get('/v2/flat,event/ZONES')).toMatchObject({
      data: [
        { evuuid: 'm0', evstart: '2026-11-19 13:45:00.000+0000' },
        { evuuid: 'm1', evstart: '2026-11-21 00:00:00.000+0000' },
        { evuuid: 'm2', evend: '2026-11-21 10:14:00.123+0000' },
      ],
    })
  })
})
