import { fromMunicipalities, fromStoredShape } from './geo-shapes.ts'
import { fromAnswer } from './content-records.ts'
import type { ContentRecord } from './content-records.ts'

/** Real records of one entity: the file, the number of records, and how to extract them. */
export type ContentFile = {
  readonly entity: string
  readonly path: string
  readonly file: string
  readonly count: number
  readonly convert: (read: unknown) => readonly ContentRecord[]
}

/** One file contains both events and their venues; only venues have rooms. */
const venues = (read: unknown) => fromAnswer(read).filter((record) => 'RoomDetails' in record)
const events = (read: unknown) => fromAnswer(read).filter((record) => !('RoomDetails' in record))

type Row = readonly [file: string, count: number, convert?: ContentFile['convert']]

const of = (entity: string, rows: readonly Row[], path = entity): readonly ContentFile[] =>
  rows.map(([file, count, convert = fromAnswer]) => ({ entity, path, file, count, convert }))

/** Every file of real content records (INDEX.md there), in the order in which they are pushed. */
export const contentFiles: readonly ContentFile[] = [
  ...of('Accommodation', [['content/accommodation/accommodation-list-10-full-2021.json', 10]]),
  ...of('HubActivityPoi', [
    ['content/activitypoi/activity-lift-1-full.json', 1],
    ['content/activitypoi/activity-lifts-list-10-full.json', 10],
    ['content/activitypoi/activity-ski_slope-1-full.json', 1],
    ['content/activitypoi/activity-snowpark-1-full.json', 1],
    ['content/activitypoi/hubactivitypoi-dss-lifts.json', 441],
    ['content/activitypoi/hubactivitypoi-dss-snowparks.json', 86],
    ['content/activitypoi/hubactivitypoi-list-10-full.json', 10],
    ['content/activitypoi/hubactivitypoi-museum-1-full-2026.json', 1],
    ['content/activitypoi/hubactivitypoi-wine-1-full-2026.json', 1],
    ['push/suedtirolwein-payload.json', 1],
  ]),
  ...of('Article', [['content/article/article-newsfeed-5.json', 5]]),
  ...of('Event', [
    ['content/event/event-list-100-full.json', 100],
    ['content/event/event-list-33-with-images-2019.json', 33],
    ['content/event/event-noi-momentus-1.json', 1],
    ['content/event/event-venue-centrotrevi-2026.json', 237, events],
    ['content/event/ios-event_list.json', 2],
  ]),
  ...of('Venue', [
    ['content/event/event-venue-centrotrevi-2026.json', 2, venues],
    ['content/event/ios-venue_list.json', 1],
    ['content/venue/venue-noi-1.json', 1],
  ]),
  ...of('MetaData', [['content/metadata/metadata-full.json', 134]]),
  ...of('Municipality', [['content/location/municipality-116-id-title-latlon.json', 116]]),
  ...of('SkiArea', [['content/skiarea/skiarea-dss-15-payloads.json', 15]]),
  ...of('Tag', [
    ['content/tag/tag-1544-full.json', 1544],
    ['content/tag/hubtag-skiarea-8.json', 8],
    ['content/tag/articletags-ios.json', 15],
    ['content/tag/autopublishtags-37.json', 37],
    ['content/event/ios-event_tag_list.json', 2],
  ]),
  ...of('Weather', [['content/weather/weather-bulletin-1-shortened.json', 1]]),
  ...of('WebcamInfo', [
    ['content/webcam/webcaminfo-list-166-full.json', 166],
    ['content/webcam/webcaminfo-dss-payloads.json', 159],
    ['content/webcam/webcaminfo-feratel-1-full-2025.json', 1],
  ]),
  ...of(
    'GeoShape',
    [
      ['geoshapes/southtyrol-municipalities-116.geojson', 116, fromMunicipalities],
      ['geoshapes/geoshape-province-bolzano-epsg32632.json', 1, fromStoredShape],
    ],
    'GeoShapes',
  ),
]
