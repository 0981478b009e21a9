import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { schemaIssues } from '../../errors/index.ts'
import { toNaming } from '../naming.ts'
import { entitiesOf } from './index.ts'

type Case = readonly [entity: string, good: object, wrong: object, pointer: string]

/**
 * For each entity a valid record as providers send it, a change to it, and the pointer of the
 * fault.
 */
const cases: readonly Case[] = [
  [
    'Accommodation',
    { AccoCategoryId: '3stars', AccoDetail: { de: { Name: 'Hof' } }, ThemeIds: ['Wein'] },
    { AccoDetail: { de: { Name: 5 } } },
    '/AccoDetail/de/Name',
  ],
  [
    'Accommodation',
    { AccoOverview: { TotalRooms: 12, CheckInFrom: '14:00:00' } },
    { AccoOverview: { TotalRooms: 12.5 } },
    '/AccoOverview/TotalRooms',
  ],
  [
    'AccommodationRoom',
    { A0RID: 'A', Roommax: 4, Properties: { SquareMeters: 22.5 } },
    { Roommax: 'four' },
    '/Roommax',
  ],
  [
    'HubActivityPoi',
    { DistanceLength: 1328, GpsInfo: [{ Gpstype: 'position', Latitude: 46.5, Longitude: 11.9 }] },
    {
      GpsInfo: [
        { Latitude: 46.5, Longitude: 11.9 },
        { Latitude: 96.5, Longitude: 11.9 },
      ],
    },
    '/GpsInfo/1/Latitude',
  ],
  [
    'HubActivityPoi',
    { OperationSchedule: [{ OperationScheduleTime: [{ Start: '09:00:00', Monday: true }] }] },
    { OperationSchedule: [{ OperationScheduleTime: [{ Start: 'nine' }] }] },
    '/OperationSchedule/0/OperationScheduleTime/0/Start',
  ],
  [
    'Event',
    { DateBegin: '2026-11-20T00:00:00', EventDate: [{ From: '2026-11-20', Begin: '20:00' }] },
    { DateBegin: '20.11.2026' },
    '/DateBegin',
  ],
  [
    'EventShort',
    { StartDate: '2026-11-20T10:00:00', RoomBooked: [{ Space: 'A1' }], SoldOut: false },
    { SoldOut: 'no' },
    '/SoldOut',
  ],
  ['Article', { Highlight: true, Detail: { en: { Title: 'News' } } }, { Detail: [] }, '/Detail'],
  [
    'WebcamInfo',
    { WebCamProperties: { WebcamUrl: 'https://example.org/a.jpg', TourCam: null } },
    { WebCamProperties: { WebcamUrl: ['https://example.org/a.jpg'] } },
    '/WebCamProperties/WebcamUrl',
  ],
  [
    'Venue',
    { RoomDetails: [{ Id: 'r', MaxCapacity: 50, VenueRoomProperties: { SquareMeters: 50.5 } }] },
    { RoomDetails: [{ Id: 'r', MaxCapacity: 'fifty' }] },
    '/RoomDetails/0/MaxCapacity',
  ],
  [
    'Weather',
    { Id: 85610, Conditions: [{ Title: 'Sunny', TempMaxmax: 12 }] },
    { Conditions: [{ TempMaxmax: 'warm' }] },
    '/Conditions/0/TempMaxmax',
  ],
  ['WeatherDistrict', { Id: 3, BezirksForecast: [{ MaxTemp: 4 }] }, { Id: 3.5 }, '/Id'],
  [
    'WeatherForecast',
    { ForeCastDaily: [{ Date: '2026-11-20', Precipitation: 2 }] },
    { ForeCastDaily: [{ Date: 20261120 }] },
    '/ForeCastDaily/0/Date',
  ],
  ['WeatherRealtime', { name: 'Bozen', t: '--', latitude: 46.5 }, { t: 4.5 }, '/t'],
  ['Measuringpoint', { SnowHeight: '12', newSnowHeight: null }, { SnowHeight: 12 }, '/SnowHeight'],
  ['MetaRegion', { RegionIds: ['A'] }, { RegionIds: 'A' }, '/RegionIds'],
  ['Region', { Geo: { position: { Latitude: 46.5, Default: true } } }, { Geo: [] }, '/Geo'],
  ['ExperienceArea', { DistrictIds: ['A'] }, { DistrictIds: [1] }, '/DistrictIds/0'],
  ['Municipality', { Inhabitants: 107_000 }, { Inhabitants: '107.000' }, '/Inhabitants'],
  ['District', { IsComune: true }, { IsComune: 1 }, '/IsComune'],
  ['Area', { AreaType: 'SKI' }, { AreaType: {} }, '/AreaType'],
  ['SkiArea', { AltitudeFrom: 1200, TotalSlopeKm: '56' }, { AltitudeFrom: 'low' }, '/AltitudeFrom'],
  ['SkiRegion', { Mapping: { lts: { rid: '1' } } }, { Mapping: { lts: 1 } }, '/Mapping/lts'],
  ['TourismAssociation', { Region: { Id: 'A' } }, { Region: 'A' }, '/Region'],
  ['WineAward', { Vintage: 2021 }, { Vintage: '2021' }, '/Vintage'],
  [
    'MetaData',
    { RecordCount: { open: 3211, closed: null }, PathParam: ['v1', 'Event'] },
    { RecordCount: { open: '3211' } },
    '/RecordCount/open',
  ],
  ['Tag', { TagName: { de: 'Wein', it: null }, Types: [] }, { TagName: 'Wein' }, '/TagName'],
  ['Source', { Name: { en: 'LTS' }, Interfaces: null }, { Name: { en: 1 } }, '/Name/en'],
  [
    'Publisher',
    { Name: { en: 'NOI' } },
    { PushConfig: [{ PathParam: 'v1' }] },
    '/PushConfig/0/PathParam',
  ],
  [
    'GeoShape',
    { Geometry: { type: 'Point', coordinates: [11.3, 46.5] } },
    { Geometry: { type: 'Circle' } },
    '/Geometry/type',
  ],
]

const entities = new Map(entitiesOf(toNaming('Hub')).map((entity) => [entity.name, entity]))

describe('a record', () => {
  it.each(cases)('of %s is accepted, and rejected with a pointer to a wrong field', (...one) => {
    const [name, good, wrong, pointer] = one
    const validator = Compile(entities.get(name)?.schema ?? {})
    expect(schemaIssues(validator.Errors({ Id: 'x', ...good }))).toEqual([])
    const issues = schemaIssues(validator.Errors({ Id: 'x', ...good, ...wrong }))
    expect(issues.map((issue) => issue.pointer)).toEqual([pointer])
  })

  it('of every entity is tested above', () => {
    expect([...new Set(cases.map(([name]) => name))]).toEqual([...entities.keys()])
  })
})
