import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { tableOf } from '../table.ts'
import { storeRecords } from './store-records.ts'
import type { ContentRecord } from './to-stored.ts'

const entities = entitiesOf(toNaming('Hub'))

function entityNamed(name: string) {
  const entity = entities.find((candidate) => candidate.name === name)
  if (entity === undefined) throw new Error(`no entity ${name}`)
  return entity
}

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute))

describeWithDatabase('fields that the hub generates', (database) => {
  const store = (name: string, received: Date, ...records: readonly ContentRecord[]) => {
    const entity = entityNamed(name)
    const write = { entity, records, deletions: [], received, provider: 'demo' }
    return database().transaction((tx) => storeRecords(tx, write))
  }
  const read = async (name: string, id: string) => {
    const [row] = await database().texts(
      sql`select data from ${tableOf(entityNamed(name))} where id = ${id}`,
    )
    return JSON.parse(row?.[0] ?? 'null')
  }

  beforeAll(async () => {
    await store(
      'Tag',
      at(0),
      {
        Id: 'museums',
        Source: 'idm',
        Types: ['odhcategory'],
        TagName: { en: 'Museums' },
        HubTagIds: ['museen'],
      },
      { Id: 'FARM', Source: 'lts', TagName: { en: 'Farm' }, DisplayAsCategory: false },
    )
    await store('Area', at(0), { Id: 'AREA', Detail: { de: { Title: 'Gebiet' } } })
  })

  it('copy nothing from closed tags and areas, because everyone could read it', async () => {
    const closed = { LicenseInfo: { ClosedData: true } }
    const names = { TagName: { en: 'Secret' }, Types: ['secret'], HubTagIds: ['secret'] }
    await store('Tag', at(0), { Id: 'hidden', Source: 'idm', ...names, ...closed })
    await store('Area', at(0), { Id: 'HIDDEN', Detail: { de: { Title: 'Secret' } }, ...closed })
    const tagged = { TagIds: ['hidden'], AreaIds: ['HIDDEN'] }
    await store('HubActivityPoi', at(1), { Id: 'open', ...tagged })
    const stored = await read('HubActivityPoi', 'open')
    expect(stored).toMatchObject({ Tags: [{ Id: 'hidden' }] })
    expect(JSON.stringify(stored)).not.toMatch(/secret/i)
  })

  it('describe known tags and areas, in all records of a message', async () => {
    const tagged = { TagIds: ['museums', 'FARM', 'unknown'], AreaIds: ['AREA'] }
    await store('HubActivityPoi', at(1), { Id: 'a', ...tagged }, { Id: 'b', ...tagged })
    for (const id of ['a', 'b']) {
      expect(await read('HubActivityPoi', id)).toMatchObject({
        Tags: [
          { Id: 'museums', Name: 'Museums', Source: 'idm', Type: 'odhcategory' },
          { Id: 'farm', Name: 'Farm', Source: 'lts' },
          { Id: 'unknown' },
        ],
        SmgTags: ['museen', 'unknown'],
        LTSTags: [{ Id: 'farm' }],
        AdditionalPoiInfos: { en: { Categories: ['Museums'] } },
        LocationInfo: { AreaInfo: { Id: 'AREA', Name: { de: 'Gebiet' } } },
        _Meta: { Generated: expect.arrayContaining(['AdditionalPoiInfos', 'Tags', 'SmgTags']) },
      })
    }
  })

  it('support filters by old names', async () => {
    const rows = await database().texts(sql`
      select id from ${tableOf(entityNamed('HubActivityPoi'))}
      where hub_tags && array['museen'] order by id`)
    expect(rows.flat()).toEqual(['a', 'b'])
  })

  it('are no change of content, for a renamed tag or a hub that generates more', async () => {
    const sent = { Id: 'c', TagIds: ['museums'], EventDate: [], Detail: { de: { Title: 'x' } } }
    await store('HubActivityPoi', at(2), sent)
    const { LastChange } = await read('HubActivityPoi', 'c')
    await store('Tag', at(3), { Id: 'museums', Source: 'idm', TagName: { en: 'Renamed' } })
    await store('HubActivityPoi', at(4), sent)
    const renamed = await read('HubActivityPoi', 'c')
    expect(renamed.Tags).toMatchObject([{ Name: 'Renamed' }])
    expect(renamed).toMatchObject({
      LastChange,
      _Meta: { LastChange, LastUpdate: at(4).toISOString() },
    })
    // As stored by an older hub, which generated nothing.
    await database().execute(sql`
      update ${tableOf(entityNamed('HubActivityPoi'))}
      set data = (data - array(select jsonb_array_elements_text(data #> '{_Meta,Generated}')))
        #- '{_Meta,Generated}'
      where id = 'c'`)
    await store('HubActivityPoi', at(5), sent)
    expect(await read('HubActivityPoi', 'c')).toMatchObject({ LastChange, SmgTags: ['museums'] })
  })

  it('are no change of content within arrays and below keys either', async () => {
    const sent = {
      Id: 'E',
      EventDate: [{ EventDateId: 'd', From: '2026-11-21' }, { From: '2026-11-22' }],
      EventAdditionalInfos: { de: { MeetingPoint: 'Platz' } },
    }
    await store('Event', at(2), sent)
    const { LastChange, EventDate } = await read('Event', 'E')
    expect(EventDate[0]).toMatchObject({ DayRID: 'd' })
    await database().execute(sql`
      update ${tableOf(entityNamed('Event'))}
      set data = jsonb_set(data #- '{EventAdditionalInfos,de,Mplace}', '{EventDate,0,DayRID}', '"older"')
      where id = 'E'`)
    await store('Event', at(3), sent)
    expect(await read('Event', 'E')).toMatchObject({
      LastChange,
      EventDate: [{ DayRID: 'd' }, {}],
      EventAdditionalInfos: { de: { Mplace: 'Platz' } },
    })
  })

  it('count as content if the sender sets them', async () => {
    await store('HubActivityPoi', at(2), { Id: 'd', SmgTags: ['one'] })
    await store('HubActivityPoi', at(3), { Id: 'd', SmgTags: ['two'] })
    expect(await read('HubActivityPoi', 'd')).toMatchObject({ LastChange: at(3).toISOString() })
  })

  it('are generated again when a record is sent back from a hub', async () => {
    const stored = await read('HubActivityPoi', 'a')
    await store('HubActivityPoi', at(6), { ...stored, TagIds: ['unknown'] })
    expect(await read('HubActivityPoi', 'a')).toMatchObject({
      TagIds: ['unknown'],
      SmgTags: ['unknown'],
      HubTags: [{ Id: 'unknown', Self: '/v1/Tag/unknown' }],
    })
  })
})
