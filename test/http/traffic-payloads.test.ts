import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { readAnnouncements } from '../contract/datex/read-announcements.ts'
import { text, texts } from '../contract/datex/xml-tree.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { describeWithSharedData, readShared, sharedPath } from '../fixtures/shared-data.ts'
import { useTrafficHub } from '../fixtures/traffic-hub.ts'

// Payloads that the collectors of province and motorway send to the public system, pushed as
// canonical events and read back from every interface. Texts, tags, times and places are compared
// with the recording.

const folder = 'data/timeseries/events'
const files = [
  'province-bz-traffic-out.json',
  'a22-opendata-out.json',
  'a22-events-announcements-out.json',
  'a22-brennerlec-out.json',
]

const recorded = Type.Object({
  Id: Type.String(),
  Active: Type.Boolean(),
  Source: Type.String(),
  LicenseInfo: Type.Object({ ClosedData: Type.Boolean() }),
  HasLanguage: Type.Array(Type.String()),
  TagIds: Type.Array(Type.String()),
  Mapping: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  StartTime: Type.Optional(Type.String()),
  EndTime: Type.Optional(Type.String()),
  Geo: Type.Object({
    position: Type.Object({ Latitude: Type.Number(), Longitude: Type.Number() }),
  }),
  Detail: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
})
const sample = Type.Object({
  putMultiples: Type.Array(Type.Object({ payload: Type.Array(recorded) })),
})

const flatEvents = Type.Object({ data: Type.Array(Type.Unknown()) })

type Recorded = Static<typeof recorded>

const readRecorded = (file: string) =>
  Parse(sample, readShared(`${folder}/${file}`)).putMultiples.flatMap(({ payload }) => payload)

/**
 * Converts the recorded announcements of a file to canonical events, with their ids in other
 * systems as metadata.
 */
function toItems(file: string) {
  const mappings = new Map(readRecorded(file).map(({ Id, Mapping }) => [Id, Mapping]))
  return readAnnouncements(new URL(`file://${sharedPath(`${folder}/${file}`)}`)).map((event) => ({
    ...{ uuid: event.series, name: event.name, tags: event.tags, geometry: event.geometry },
    ...{ start: event.start, end: event.end, title: event.title, text: event.text },
    metadata: { Mapping: mappings.get(event.series) },
  }))
}

/** A time at which some of the recorded events are planned, some active and some over. */
const time = new Date('2026-03-20T12:00:00Z')

const isDue = ({ EndTime }: Recorded) => EndTime === undefined || new Date(EndTime) > time

/** Returns a record as it must be shown: our times have milliseconds, our languages are sorted. */
const toExpected = ({ Id, Active, Source, LicenseInfo, TagIds, Mapping, ...rest }: Recorded) => ({
  ...{ Id, Active, Source, TagIds, Mapping },
  // Events state no licence.
  LicenseInfo: { ClosedData: LicenseInfo.ClosedData },
  HasLanguage: [...rest.HasLanguage].sort(),
  StartTime: rest.StartTime === undefined ? null : new Date(rest.StartTime).toISOString(),
  EndTime: rest.EndTime === undefined ? null : new Date(rest.EndTime).toISOString(),
  Detail: rest.Detail,
  Geo: {
    position: {
      // The recorded shapes are rounded, and the hub computes the position from them.
      Latitude: expect.closeTo(rest.Geo.position.Latitude, 3),
      Longitude: expect.closeTo(rest.Geo.position.Longitude, 3),
    },
  },
})

describeWithSharedData('real payloads', () => {
  describeWithDatabase('of province and motorway', (database) => {
    const hub = useTrafficHub(database)

    const feed = (provider: string) => {
      hub.setAhead(time.getTime() - new Date().getTime())
      return hub.situations(provider)
    }

    it('are returned as the recorded announcements', async () => {
      for (const file of files) {
        const records = readRecorded(file)
        const { Source = '', LicenseInfo } = records[0] ?? {}
        await hub.pushEvents(Source, toItems(file), LicenseInfo?.ClosedData ? 'closed' : undefined)
        for (const record of records) {
          const shown = await hub.get(`/v1/Announcement/${record.Id}`)
          expect(shown, record.Id).toMatchObject(toExpected(record))
        }
      }
    })

    it('are published in feeds if they are open: closed events are not republished', async () => {
      for (const file of files.slice(0, 2)) {
        const due = readRecorded(file).filter(isDue)
        const provider = (due[0]?.Source ?? '').toLowerCase().replaceAll('_', '-')
        const found = await feed(provider)
        expect([...found.keys()].sort()).toEqual(due.map(({ Id }) => Id).sort())
      }
      const rows = Parse(flatEvents, await hub.get('/v2/flat,event/a22?limit=-1'))
      expect(rows.data).toHaveLength(files.slice(1).flatMap(readRecorded).length)
    })

    it('become situations with place, time and every text if closed events are open', async () => {
      const open = files.slice(2)
      for (const file of open) {
        const origin = `OPEN ${file}`
        const items = toItems(file).map((item) => ({ ...item, uuid: `open-${item.uuid}` }))
        await hub.pushEvents(origin, items)
        const found = await feed(encodeURIComponent(origin.toLowerCase()))
        const due = readRecorded(file).filter(isDue)
        expect([...found.keys()].sort()).toEqual(due.map(({ Id }) => `open-${Id}`).sort())
        for (const { Id, Detail, TagIds, Mapping, StartTime } of due) {
          const tree = found.get(`open-${Id}`)
          if (tree === undefined) throw new Error(`There is no situation ${Id}.`)
          const said = (path: string) => text(tree, `situationRecord/${path}`)
          const words = Object.keys(Detail).sort()
          expect(texts(tree, '**/generalPublicComment/**/value')).toEqual(
            words.map(
              (one) => `${Detail[one]?.['Title'] ?? ''}. ${Detail[one]?.['BaseText'] ?? ''}`,
            ),
          )
          const start = new Date(StartTime ?? '').toISOString()
          expect(said('validity/validityTimeSpecification/overallStartTime')).toBe(start)
          const limit = Mapping['ProviderA22BrennerLEC']?.['Limite']
          if (limit !== undefined) expect(said('temporarySpeedLimit')).toBe(limit)
          if (TagIds.includes('traffic-event:closure')) {
            expect(said('roadOrCarriagewayOrLaneManagementType')).toBe('roadClosed')
          }
        }
      }
    })
  })
})
