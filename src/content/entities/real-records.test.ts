import { existsSync, readFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { schemaIssues } from '../../errors/index.ts'
import { toNaming } from '../naming.ts'
import { entitiesOf } from './index.ts'

const data = new URL('../../../../shared/data/', import.meta.url)

type Files = readonly [entity: string, records: number, paths: readonly string[]]

/** Files with records of each entity, and the number of records (see INDEX.md there). */
const files: readonly Files[] = [
  ['Accommodation', 10, ['content/accommodation/accommodation-list-10-full-2021.json']],
  [
    'HubActivityPoi',
    553,
    [
      'content/activitypoi/activity-lift-1-full.json',
      'content/activitypoi/activity-lifts-list-10-full.json',
      'content/activitypoi/activity-ski_slope-1-full.json',
      'content/activitypoi/activity-snowpark-1-full.json',
      'content/activitypoi/hubactivitypoi-dss-lifts.json',
      'content/activitypoi/hubactivitypoi-dss-snowparks.json',
      'content/activitypoi/hubactivitypoi-list-10-full.json',
      'content/activitypoi/hubactivitypoi-museum-1-full-2026.json',
      'content/activitypoi/hubactivitypoi-wine-1-full-2026.json',
      'push/suedtirolwein-payload.json',
    ],
  ],
  ['Article', 5, ['content/article/article-newsfeed-5.json']],
  [
    'Event',
    373,
    [
      'content/event/event-list-100-full.json',
      'content/event/event-list-33-with-images-2019.json',
      'content/event/event-noi-momentus-1.json',
      'content/event/event-venue-centrotrevi-2026.json',
      'content/event/ios-event_list.json',
    ],
  ],
  [
    'Venue',
    4,
    [
      'content/event/event-venue-centrotrevi-2026.json',
      'content/event/ios-venue_list.json',
      'content/venue/venue-noi-1.json',
    ],
  ],
  ['MetaData', 134, ['content/metadata/metadata-full.json']],
  ['Municipality', 116, ['content/location/municipality-116-id-title-latlon.json']],
  ['SkiArea', 15, ['content/skiarea/skiarea-dss-15-payloads.json']],
  [
    'Tag',
    1606,
    [
      'content/tag/tag-1544-full.json',
      'content/tag/hubtag-skiarea-8.json',
      'content/tag/articletags-ios.json',
      'content/tag/autopublishtags-37.json',
      'content/event/ios-event_tag_list.json',
    ],
  ],
  ['Weather', 1, ['content/weather/weather-bulletin-1-shortened.json']],
  [
    'WebcamInfo',
    326,
    [
      'content/webcam/webcaminfo-dss-payloads.json',
      'content/webcam/webcaminfo-feratel-1-full-2025.json',
      'content/webcam/webcaminfo-list-166-full.json',
    ],
  ],
]

const entities = new Map(entitiesOf(toNaming('Hub')).map((entity) => [entity.name, entity]))
const absent = existsSync(data) ? '' : ' [left out: ../shared/data is absent]'

describe.skipIf(absent !== '')(`the schemas${absent}`, () => {
  it.each(files)('accept every real record: %s, %i records', (name, count, paths) => {
    const validator = Compile(entities.get(name)?.schema ?? {})
    const records = paths.flatMap(readRecords).filter(isOf(name))
    const faults = records.flatMap((record) =>
      schemaIssues(validator.Errors(record)).map(({ pointer, detail }) => ({ pointer, detail })),
    )
    expect(faults).toEqual([])
    expect(records).toHaveLength(count)
  })
})

/**
 * Reads the records of a file, which contains a list envelope, an array of records, or one record.
 */
function readRecords(path: string): readonly object[] {
  const content = JSON.parse(readFileSync(new URL(path, data), 'utf8'))
  const records: readonly object[] = content.Items ?? [content].flat()
  return records
}

/**
 * Returns a check for records of an entity. One file mixes events and venues; only venues have
 * rooms.
 */
function isOf(name: string): (record: object) => boolean {
  if (name === 'Venue') return (record) => 'RoomDetails' in record
  return name === 'Event' ? (record) => !('RoomDetails' in record) : () => true
}
