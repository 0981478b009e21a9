import { describe, expect, it } from 'vitest'
import {
  generate,
  knowing,
  position,
  viewpoint,
} from '../../../../test/fixtures/generated-members.ts'
import { withoutGenerated } from './index.ts'

describe('positions', () => {
  it('are copied to GpsPoints by type, the first of each', () => {
    const { record } = generate('Article', {
      GpsInfo: [viewpoint, position, { ...viewpoint, Latitude: 1 }],
    })
    expect(record['GpsPoints']).toEqual({ viewpoint, position })
  })

  it('are copied to the record: the default one, or else the one of type position', () => {
    expect(generate('Event', { GpsInfo: [viewpoint, position] }).record).toMatchObject(position)
    const chosen = { ...viewpoint, Default: true }
    expect(generate('Event', { GpsInfo: [position, chosen] }).record).toMatchObject(viewpoint)
    expect(generate('Region', { Geo: { position } }).record).toMatchObject(position)
  })

  it('are copied from others if the first one has no coordinates', () => {
    const unknown = { ...position, Latitude: null, Default: true }
    const { record } = generate('Event', { GpsInfo: [unknown, position, viewpoint] })
    expect(record).toMatchObject({ ...position, GpsPoints: { position, viewpoint } })
    expect(generate('Article', { GpsInfo: [unknown] }).record).toMatchObject({
      GpsPoints: { position: unknown },
    })
  })

  it('are not copied if the sender sets some of the fields', () => {
    const { record, paths } = generate('Event', { GpsInfo: [position], Latitude: 1, GpsPoints: {} })
    expect(record).toEqual({ GpsInfo: [position], Latitude: 1, GpsPoints: {} })
    expect(paths).toEqual([])
  })
})

describe('SmgActive and HubActive', () => {
  it.each([
    [{ PublishedOn: ['today'] }, true],
    [{ PublishedOn: [] }, false],
    [{ PublishedOn: ['today'], SmgActive: false }, false],
    [{ HubActive: true, PublishedOn: [] }, true],
    [{ PublishedOn: null }, undefined],
  ])('follow from %j', (sent, expected) => {
    const { record } = generate('HubActivityPoi', sent)
    expect([record['SmgActive'], record['HubActive']]).toEqual([expected, expected])
  })
})

describe('old and new properties', () => {
  it('are copied in both directions', () => {
    const { record } = generate('HubActivityPoi', {
      AgeFrom: 6,
      DistanceLength: 1200,
      IsOpen: true,
    })
    expect(record['AdditionalProperties']).toEqual({
      PoiAgeDataProperties: { AgeFrom: 6 },
      ActivityLtsDataProperties: { DistanceLength: 1200, IsOpen: true },
    })
    const objects = {
      ActivityLtsDataProperties: { Ratings: { Difficulty: '3' }, WayNumber: 4 },
      GastronomyLtsDataProperties: { MaxSeatingCapacity: 40, DishRates: [{ Id: 'd' }] },
      PoiLtsDataProperties: { HasFreeEntrance: true },
    }
    expect(generate('HubActivityPoi', { AdditionalProperties: objects }).record).toMatchObject({
      WayNumber: 4,
      MaxSeatingCapacity: 40,
      DishRates: [{ Id: 'd' }],
      HasFreeEntrance: true,
    })
  })

  it('create no objects from the default zeros of old records', () => {
    const filled = { AgeFrom: 0, AgeTo: 0, MaxSeatingCapacity: 0, IsOpen: false, DistanceLength: 0 }
    expect(generate('HubActivityPoi', filled)).toEqual({ record: filled, paths: [] })
  })

  it('distinguish a point of interest from an activity by its tags', () => {
    const additional = (sent: object) =>
      generate('HubActivityPoi', sent).record['AdditionalProperties']
    expect(additional({ SmgTags: ['poi'], IsOpen: false })).toEqual({
      PoiLtsDataProperties: { IsOpen: false },
    })
    expect(additional({ SmgTags: ['activity'], IsOpen: false })).toEqual({
      ActivityLtsDataProperties: { IsOpen: false },
    })
  })
})

describe('copies that the table of deprecations lists', () => {
  it('are made at the top level, within arrays and below keys', () => {
    expect(
      generate('Accommodation', {
        AccoProperties: { HasRoom: true },
        Review: { trustyou: { Score: 8.5 } },
        AccoBookingChannel: [{ Id: 'hgv', BookingId: '12' }],
      }).record,
    ).toMatchObject({ HasRoom: true, TrustYouScore: 8.5, HgvId: '12' })
    const { record, paths } = generate('Event', {
      EventDate: [
        { EventDateId: 'd', From: '2026-11-21', EventCalculatedDays: [{ CalculatedDayId: 'c' }] },
        {},
      ],
      EventAdditionalInfos: { de: { MeetingPoint: 'Platz' }, it: { Mplace: 'Piazza' } },
    })
    expect(record).toMatchObject({
      EventDate: [
        {
          DayRID: 'd',
          EventCalculatedDays: [{ CDayRID: 'c' }],
          EventCalculatedDay: { CalculatedDayId: 'c' },
        },
        {},
      ],
      EventAdditionalInfos: { de: { Mplace: 'Platz' }, it: { Mplace: 'Piazza' } },
      EventDatesBegin: ['2026-11-21'],
      EventDateCounter: 2,
    })
    expect(paths).toEqual([
      'EventAdditionalInfos.de.Mplace',
      'EventDate.DayRID',
      'EventDate.EventCalculatedDay',
      'EventDate.EventCalculatedDays.CDayRID',
      'EventDateCounter',
      'EventDatesBegin',
      'EventDatesEnd',
    ])
  })
})

describe('fields of other entities', () => {
  it.each([
    ['Tag', { ValidForEntity: ['summer', 'hubactivitypoi'] }, { MainEntity: 'hubactivitypoi' }],
    ['Tag', { Mapping: { lts: { rid: 'R' } } }, { LTSTaggingInfo: { LTSRID: 'R' } }],
    ['WebcamInfo', { Detail: { de: { Title: 'T' } } }, { Webcamname: { de: 'T' } }],
    ['WebcamInfo', { WebCamProperties: { WebcamUrl: 'u' } }, { Webcamurl: 'u' }],
    [
      'EventShort',
      { Detail: { de: { Title: 'T' } } },
      { EventTitle: { de: 'T' }, EventDescriptionDE: 'T' },
    ],
    [
      'Event',
      { EventProperty: { TicketRequired: true, EventOrganizerId: 'o' } },
      { Ticket: '1', OrgRID: 'o' },
    ],
    [
      'Event',
      { EventVariants: [{ Price: 5, VariantId: 'v', Name: { de: 'Voll' } }] },
      { EventPrice: { de: { Price: 5, ShortDesc: 'Voll', VarRID: 'v' } } },
    ],
    [
      'Event',
      { EventUrls: [{ Type: 'bookingUrl', Url: { de: 'u' }, Active: true }] },
      { EventBooking: { BookingUrl: { de: { Url: 'u' } }, BookingActive: true } },
    ],
    [
      'Weather',
      { Date: '2026-11-21', Conditions: [{ WeatherCode: 'a' }] },
      { date: '2026-11-21', Conditions: [{ Weathercode: 'a' }] },
    ],
    ['District', { RegionId: 'R' }, { Region: { Id: 'R', Self: '/v1/Region/R' } }],
    ['Event', { DistrictIds: ['D'] }, { Districts: [{ Id: 'D', Self: '/v1/District/D' }] }],
  ] as const)('of %s: %j becomes %j', (name, sent, expected) => {
    expect(generate(name, sent).record).toMatchObject(expected)
  })

  it('contain the first area, with its name if it is known', () => {
    const { record } = generate('HubActivityPoi', { AreaIds: ['area1', 'b'] }, knowing())
    expect(record).toMatchObject({
      AreaId: ['area1', 'b'],
      LocationInfo: { AreaInfo: { Id: 'area1', Name: { de: 'Gebiet' }, Self: '/v1/Area/area1' } },
    })
  })
})

describe('a record that was read from a hub', () => {
  it('is generated again, so old fields reflect changes of the new ones', () => {
    const first = generate('Article', { GpsInfo: [position], TagIds: ['a'] })
    const read = { ...first.record, _Meta: { Generated: first.paths } }
    const changed = withoutGenerated({ ...read, GpsInfo: [viewpoint] })
    expect(generate('Article', changed).record['GpsPoints']).toEqual({ viewpoint })
  })

  it('is the same when it is generated twice', () => {
    const sent = { TagIds: ['a'], AreaIds: ['x'], AgeFrom: 3, PublishedOn: ['p'] }
    const first = generate('HubActivityPoi', sent)
    const again = withoutGenerated({ ...first.record, _Meta: { Generated: first.paths } })
    expect(generate('HubActivityPoi', again)).toEqual({
      ...first,
      record: { ...first.record, _Meta: { Generated: first.paths } },
    })
  })

  it('is generated without changing the input', () => {
    const sent = { EventDate: [{ EventDateId: 'd' }] }
    generate('Event', sent)
    expect(sent).toEqual({ EventDate: [{ EventDateId: 'd' }] })
  })
})
