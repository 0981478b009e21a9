import { describe, expect, it } from 'vitest'
import { dial, readContacts } from './contacts.ts'
import { describeFields, partsAt } from './describe-fields.ts'
import { readPeriods } from './opening-times.ts'
import { readLicence, readPictures } from './pictures.ts'
import { readPlaces, readShape, readWkt } from './places.ts'
import { readTags } from './relations.ts'

const coordinates = { Latitude: 'latitude', Longitude: 'longitude', Altitude: 'altitude' }
const place = { ...coordinates, Gpstype: 'kind', Geometry: 'shape' }
const placed = (record: Readonly<Record<string, unknown>>) =>
  describeFields(record, {
    ...{ 'GpsInfo.[*]': { role: 'place' }, ...partsAt('GpsInfo.[*]', place) },
    ...{ 'GpsPoints.{key}': { role: 'position' }, ...partsAt('GpsPoints.{key}', place) },
    ...{ 'Geo.{key}': { role: 'position' }, ...partsAt('Geo.{key}', place) },
    ...{ Geometry: { role: 'shape' }, ...partsAt('', coordinates) },
    ...partsAt('', { latitude: 'latitude', longitude: 'longitude', altitude: 'altitude' }),
  })

describe('The places of a record', () => {
  it('are read from all fields, each once, the main one first', () => {
    const record = {
      Latitude: 46.5,
      Longitude: 11.3,
      GpsInfo: [{ Gpstype: 'position', Latitude: 46.5, Longitude: 11.3, Altitude: 740 }],
      GpsPoints: { carpark: { Latitude: '46.6', Longitude: '11.4', Altitude: 0 } },
    }
    expect(readPlaces(placed(record))).toEqual([
      { latitude: 46.5, longitude: 11.3, altitude: 740, kind: 'position' },
      { latitude: 46.6, longitude: 11.4, kind: 'carpark' },
    ])
  })

  it('are also read from fields in lower case', () => {
    expect(readPlaces(placed({ latitude: 46, longitude: 11, altitude: 2610 }))).toEqual([
      { latitude: 46, longitude: 11, altitude: 2610 },
    ])
  })

  it.each([
    [{}],
    [{ Latitude: 0, Longitude: 0 }],
    [{ Latitude: 460, Longitude: 11 }],
    [{ GpsInfo: [null, 'x', { Latitude: 'north' }] }],
  ])('are empty for %j', (record) => {
    expect(readPlaces(placed(record))).toEqual([])
  })

  it('have a shape if it is given as GeoJSON or text', () => {
    const polygon = { type: 'Polygon', coordinates: [[[11, 46]]] }
    expect(readShape(placed({ Geometry: polygon }))).toEqual(polygon)
    expect(
      readShape(placed({ Geo: { position: { Geometry: 'LINESTRING(11 46, 12 47)' } } })),
    ).toEqual({
      type: 'LineString',
      coordinates: [
        [11, 46],
        [12, 47],
      ],
    })
    expect(readShape(placed({ Geo: { position: { Geometry: 'POINT(11 46)' } } }))).toBeUndefined()
    expect(readShape(placed({ Geometry: 'nothing' }))).toBeUndefined()
  })

  it('are read from well-known text with holes and several parts', () => {
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

const pictured = (record: Readonly<Record<string, unknown>>) =>
  describeFields(record, {
    'WebCamProperties.PreviewUrl': { role: 'picture' },
    'ImageGallery.[*]': { role: 'picture' },
    ...partsAt('ImageGallery.[*]', {
      ...{ ImageUrl: 'url', ListPosition: 'position', License: 'licence', CopyRight: 'author' },
      ...{ 'ImageAltText.{language}': 'alt', 'ImageTitle.{language}': 'title' },
      ...{ Width: 'width', Height: 'height' },
    }),
    Previewurl: { role: 'picture' },
  })

describe('The pictures of a record', () => {
  it('are listed in order with their rights, in one language', () => {
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
    expect(readPictures(pictured({ ImageGallery }), 'en')).toEqual([
      {
        ...{ url: 'https://x.example/1.jpg', alt: 'A house', caption: 'Haus', licence: 'CC0' },
        ...{ photographer: 'Anna', size: { width: 960, height: 540 } },
      },
      { url: 'https://x.example/2.jpg', alt: '' },
    ])
  })

  it('include the picture of a webcam once', () => {
    const url = 'https://cam.example/now.jpg'
    const record = { Previewurl: url, WebCamProperties: { PreviewUrl: url } }
    expect(readPictures(pictured(record), 'de')).toEqual([{ url, alt: '' }])
  })
})

const label = { de: 'Kontakt', it: 'Contatto', en: 'Contact' }
const person = { City: 'town', Phonenumber: 'phone', Url: 'site', Mobile: 'mobile' }
const reached = (record: Readonly<Record<string, unknown>>) =>
  describeFields(record, {
    'ContactInfos.{language}': { role: 'contact', label },
    ...partsAt('ContactInfos.{language}', {
      ...{ ...person, CompanyName: 'name', Givenname: 'givenName', Surname: 'familyName' },
      ZipCode: 'postcode',
    }),
    'AccoDetail.{language}': { role: 'contact', label },
    ...partsAt('AccoDetail.{language}', {
      ...{ ...person, Name: 'name', Firstname: 'givenName', Lastname: 'familyName' },
      Street: 'street',
    }),
    'OrganizerInfos.{language}': { role: 'contact' },
    ...partsAt('OrganizerInfos.{language}', { CompanyName: 'name' }),
  })

describe('The contacts of a record', () => {
  it('are read from all contact fields, each once', () => {
    const owner = {
      CompanyName: 'Alm',
      Givenname: 'Sonja',
      Surname: 'Atz',
      City: 'Leifers',
      ZipCode: '39055',
    }
    const record = {
      ContactInfos: { de: { ...owner, Phonenumber: '+39 0471 000', Url: 'https://alm.example' } },
      AccoDetail: {
        de: { Name: 'Alm', Firstname: 'Eva', Lastname: 'Egger', Street: 'Dorf 1', Mobile: '1' },
      },
      OrganizerInfos: { de: { CompanyName: 'Nobody' } },
    }
    expect(readContacts(reached(record), 'it')).toMatchObject([
      {
        ...{
          label,
          path: 'ContactInfos.{language}',
          name: 'Alm',
          person: 'Sonja Atz',
          town: '39055 Leifers',
        },
        ...{ phones: ['+39 0471 000'], site: 'https://alm.example' },
      },
      { path: 'AccoDetail.{language}', person: 'Eva Egger', street: 'Dorf 1', phones: ['1'] },
    ])
    const [once] = readContacts(
      reached({ ContactInfos: { de: { Phonenumber: '1', Mobile: '1' } } }),
      'de',
    )
    expect(once?.phones).toEqual(['1'])
    const odd = { ContactInfos: { de: { City: 'Leifers', Url: 'https://www.x.example|y' } } }
    expect(readContacts(reached(odd), 'de')[0]?.site).toBeUndefined()
    expect(dial('+39 0471 / 000-1')).toBe('tel:+3904710001')
  })
})

const dated = (record: Readonly<Record<string, unknown>>) =>
  describeFields(record, {
    ...{ ArticleDate: { role: 'from' }, ArticleDateTo: { role: 'to' } },
    'EventDate.[*]': { role: 'dates' },
    ...partsAt('EventDate.[*]', {
      ...{ From: 'start', To: 'end', Begin: 'startTime', End: 'endTime' },
    }),
  })

describe('The periods of a record', () => {
  it('are the dates of an event', () => {
    const EventDate = [
      {
        From: '2027-06-04T00:00:00',
        To: '2027-06-04T00:00:00',
        Begin: '10:00:00',
        End: '12:00:00',
      },
      { From: '2027-06-03T00:00:00', To: '2027-06-03T00:00:00' },
    ]
    expect(readPeriods(dated({ EventDate, ArticleDate: '2027-06-03T00:00:00' }))).toEqual([
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
  ])('are read from the fields that the hub describes as dates, for %j', (record, period) => {
    expect(readPeriods(dated(record))).toEqual([period])
  })

  it('do not include invalid dates', () => {
    expect(readPeriods(dated({ ArticleDate: 'soon' }))).toEqual([])
    expect(readPeriods(dated({ EventDate: [null, 'x'] }))).toEqual([])
  })
})

it('reads tags with their names, and tags that are only ids, each once', () => {
  const record = {
    Tags: [{ Id: 'winter', Name: 'Winter' }, null],
    TagIds: ['winter', 'poi'],
    SmgTags: [3],
  }
  const tagged = describeFields(record, {
    ...{ 'Tags.[*]': { role: 'tag' }, ...partsAt('Tags.[*]', { Id: 'id', Name: 'name' }) },
    ...{ 'TagIds.[*]': { role: 'tag' }, 'SmgTags.[*]': { role: 'tag' } },
  })
  expect(readTags(tagged)).toEqual([
    { id: 'winter', name: 'Winter' },
    { id: 'poi', name: 'poi' },
    { id: '3', name: '3' },
  ])
})

it('reads licences, and whether data is closed', () => {
  const licensed = (LicenseInfo: unknown) =>
    describeFields(
      { LicenseInfo },
      {
        LicenseInfo: { role: 'terms' },
        ...partsAt('LicenseInfo', { License: 'licence', Author: 'author', ClosedData: 'closed' }),
      },
    )
  expect(readLicence(licensed({ License: 'CC0', Author: '', ClosedData: true }))).toEqual({
    name: 'CC0',
    closed: true,
  })
  expect(readLicence(licensed(null))).toEqual({ closed: false })
})
