import { describe, expect, it } from 'vitest'
import { dial, readContacts } from './contacts.ts'
import { readPeriods } from './opening-times.ts'
import { readLicence, readPictures } from './pictures.ts'
import { readPlaces, readShape, readWkt } from './places.ts'
import { readTags } from './relations.ts'

describe('The places of a record', () => {
  it('are those of all members, each once, the main one first', () => {
    const record = {
      Latitude: 46.5,
      Longitude: 11.3,
      GpsInfo: [{ Gpstype: 'position', Latitude: 46.5, Longitude: 11.3, Altitude: 740 }],
      GpsPoints: { carpark: { Latitude: '46.6', Longitude: '11.4', Altitude: 0 } },
    }
    expect(readPlaces(record)).toEqual([
      { latitude: 46.5, longitude: 11.3, altitude: 740, kind: 'position' },
      { latitude: 46.6, longitude: 11.4, kind: 'carpark' },
    ])
  })

  it('are also read where members are written small', () => {
    expect(readPlaces({ latitude: 46, longitude: 11, altitude: 2610 })).toEqual([
      { latitude: 46, longitude: 11, altitude: 2610 },
    ])
  })

  it.each([
    [{}],
    [{ Latitude: 0, Longitude: 0 }],
    [{ Latitude: 460, Longitude: 11 }],
    [{ GpsInfo: [null, 'x', { Latitude: 'north' }] }],
  ])('are none in %j', (record) => {
    expect(readPlaces(record)).toEqual([])
  })

  it('have a shape where one is given, as GeoJSON or as text', () => {
    const polygon = { type: 'Polygon', coordinates: [[[11, 46]]] }
    expect(readShape({ Geometry: polygon })).toEqual(polygon)
    expect(readShape({ Geo: { position: { Geometry: 'LINESTRING(11 46, 12 47)' } } })).toEqual({
      type: 'LineString',
      coordinates: [
        [11, 46],
        [12, 47],
      ],
    })
    expect(readShape({ Geo: { position: { Geometry: 'POINT(11 46)' } } })).toBeUndefined()
    expect(readShape({ Geometry: 'nothing' })).toBeUndefined()
  })

  it('are read from well-known text with holes and parts', () => {
    const rings = 'POLYGON((0 0,1 0,1 1,0 0),(0.2 0.2,0.3 0.2,0.3 0.3,0.2 0.2))'
    expect(readWkt(rings)).toMatchObject({ type: 'Polygon', coordinates: { length: 2 } })
    expect(
      readWkt('SRID=4326;MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))'),
    ).toMatchObject({
      type: 'MultiPolygon',
      coordinates: [[{ length: 4 }], [{ length: 4 }]],
    })
  })
})

describe('The pictures of a record', () => {
  it('come in their order with their rights, in a language', () => {
    const ImageGallery = [
      { ImageUrl: 'https://x.example/2.jpg', ListPosition: 2 },
      {
        ImageUrl: 'https://x.example/1.jpg',
        ListPosition: 1,
        ImageAltText: { de: 'Ein Haus', en: 'A house' },
        ImageTitle: { de: 'Haus' },
        ...{ License: 'CC0', CopyRight: 'Anna', Width: 960, Height: 540 },
      },
      { ImageUrl: 'javascript:alert(1)' },
      null,
    ]
    expect(readPictures({ ImageGallery }, 'en')).toEqual([
      {
        ...{ url: 'https://x.example/1.jpg', alt: 'A house', caption: 'Haus', licence: 'CC0' },
        ...{ photographer: 'Anna', width: 960, height: 540 },
      },
      { url: 'https://x.example/2.jpg', alt: '' },
    ])
  })

  it('are also what a webcam shows, once', () => {
    const url = 'https://cam.example/now.jpg'
    const record = { Previewurl: url, WebCamProperties: { PreviewUrl: url } }
    expect(readPictures(record, 'de')).toEqual([{ url, alt: '' }])
  })
})

describe('Those who can be reached', () => {
  it('are named once, by whatever members', () => {
    const person = {
      CompanyName: 'Alm',
      Givenname: 'Sonja',
      Surname: 'Atz',
      City: 'Leifers',
      ZipCode: '39055',
    }
    const record = {
      ContactInfos: { de: { ...person, Phonenumber: '+39 0471 000', Url: 'https://alm.example' } },
      AccoDetail: {
        de: { Name: 'Alm', Firstname: 'Eva', Lastname: 'Egger', Street: 'Dorf 1', Mobile: '1' },
      },
      OrganizerInfos: { de: { CompanyName: 'Nobody' } },
    }
    expect(readContacts(record, 'it')).toEqual([
      {
        ...{ member: 'ContactInfos', name: 'Alm', person: 'Sonja Atz', town: '39055 Leifers' },
        ...{ phones: ['+39 0471 000'], site: 'https://alm.example' },
      },
      { member: 'AccoDetail', name: 'Alm', person: 'Eva Egger', street: 'Dorf 1', phones: ['1'] },
    ])
    const [once] = readContacts({ ContactInfos: { de: { Phonenumber: '1', Mobile: '1' } } }, 'de')
    expect(once?.phones).toEqual(['1'])
    const odd = { ContactInfos: { de: { City: 'Leifers', Url: 'https://www.x.example|y' } } }
    expect(readContacts(odd, 'de')[0]).not.toHaveProperty('site')
    expect(dial('+39 0471 / 000-1')).toBe('tel:+3904710001')
  })
})

const times = [
  { path: 'ArticleDate', role: 'from' },
  { path: 'ArticleDateTo', role: 'to' },
] as const

describe('When something is', () => {
  it('is told by each date of an event', () => {
    const EventDate = [
      {
        From: '2027-06-04T00:00:00',
        To: '2027-06-04T00:00:00',
        Begin: '10:00:00',
        End: '12:00:00',
      },
      { From: '2027-06-03T00:00:00', To: '2027-06-03T00:00:00' },
    ]
    expect(readPeriods({ EventDate, DateBegin: '2027-06-03T00:00:00' }, [])).toEqual([
      { from: '2027-06-03' },
      { from: '2027-06-04T10:00', to: '2027-06-04T12:00' },
    ])
  })

  it.each([
    [{ ArticleDate: '2026-08-01T00:00:00' }, { from: '2026-08-01' }],
    [
      { ArticleDate: '2026-11-03T14:00:00', ArticleDateTo: '2026-11-03T16:00:00' },
      { from: '2026-11-03T14:00:00', to: '2026-11-03T16:00:00' },
    ],
  ])('is told by the members that the hub describes so, of %j', (record, period) => {
    expect(readPeriods(record, times)).toEqual([period])
  })

  it('is not told by what is not a valid date', () => {
    expect(readPeriods({ ArticleDate: 'soon' }, times)).toEqual([])
    expect(readPeriods({ EventDate: [null, 'x'] }, times)).toEqual([])
  })
})

it('reads tags with their names, and those that are only ids, each once', () => {
  const record = {
    Tags: [{ Id: 'winter', Name: 'Winter' }, null],
    TagIds: ['winter', 'poi'],
    SmgTags: [3],
  }
  expect(readTags(record)).toEqual([
    { id: 'winter', name: 'Winter' },
    { id: 'poi', name: 'poi' },
    { id: '3', name: '3' },
  ])
})

it('reads licences, and says whether data is closed', () => {
  expect(readLicence({ LicenseInfo: { License: 'CC0', Author: '', ClosedData: true } })).toEqual({
    name: 'CC0',
    closed: true,
  })
  expect(readLicence({ LicenseInfo: null })).toEqual({ closed: false })
})
