import { describe, expect, it } from 'vitest'
import { accommodation } from '../entities/accommodation.ts'
import { entitiesOf } from '../entities/index.ts'
import { region as placeRegion } from '../entities/places.ts'
import { toNaming } from '../naming.ts'
import { readCreations } from '../edit/read-edits.ts'
import { withoutFields } from '../../lang/json.ts'
import { checkOf, hasLanguage, toStored, withLowerTags } from './to-stored.ts'

const hotel = accommodation(toNaming('Hub'))
const region = placeRegion(toNaming('Hub'))
const saving = { received: new Date('2026-11-20T10:00:00.000Z'), provider: 'demo' }

describe('toStored', () => {
  it('generates identifier, languages, times and _Meta, and keeps everything else', () => {
    const sent = { Id: 'abc', Self: 'old', Extra: [1], AccoDetail: { de: { Name: 'Hof' } } }
    expect(toStored(hotel, sent, saving).data).toEqual({
      Id: 'ABC',
      Extra: [1],
      AccoDetail: { de: { Name: 'Hof' } },
      HasLanguage: ['de'],
      LastChange: '2026-11-20T10:00:00.000Z',
      _Meta: {
        Id: 'ABC',
        Type: 'accommodation',
        Source: 'demo',
        LastUpdate: '2026-11-20T10:00:00.000Z',
        LastChange: '2026-11-20T10:00:00.000Z',
        Reduced: false,
      },
    })
  })

  it('uses the source and the time of change from the sender', () => {
    const sent = { Id: 'A', Source: ' LTS ', LastChange: '2020-01-01T00:00:00' }
    expect(toStored(hotel, sent, saving).data).toMatchObject({
      LastChange: '2020-01-01T00:00:00',
      _Meta: { Source: 'lts', LastChange: '2020-01-01T00:00:00' },
    })
    const withMeta = { Id: 'A', Source: 'x', _Meta: { Source: 'IDM', Extra: 1 } }
    expect(toStored(hotel, withMeta, saving).data).toMatchObject({
      _Meta: { Source: 'idm', Extra: 1 },
    })
  })
})

describe('withoutFields', () => {
  it('removes fields by path, through objects and arrays, and nothing else', () => {
    const record = { Pdf: 1, EventDate: [{ GpsEast: 1, From: 2 }, null], Nested: { Pdf: 3 } }
    expect(withoutFields(record, ['Pdf', 'EventDate.GpsEast'])).toEqual({
      EventDate: [{ From: 2 }, null],
      Nested: { Pdf: 3 },
    })
  })

  it('keeps a number as Id, and stores the record under its text', () => {
    const weather = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Weather')
    const stored = weather && toStored(weather, { Id: 85610 }, saving)
    expect(stored).toMatchObject({ id: '85610', data: { Id: 85610, _Meta: { Id: '85610' } } })
  })
})

describe('hasLanguage', () => {
  it('lists a language if its entry has a text besides the repeated key', () => {
    expect(
      hasLanguage(region, {
        Detail: { de: { Title: 'x', Language: 'de' }, it: { Title: ' ', Language: 'it' } },
        Name: { en: 'y' },
        Contact: { fr: null },
        Other: { de: 1, notALanguage: 'z' },
      }),
    ).toEqual(['de', 'en'])
  })

  it('reads only objects that the schema keys by language, and ignores other keys', () => {
    expect(hasLanguage(region, { Detail: { de: { Title: 'x' }, es: { Title: 'y' } } })).toEqual([
      'de',
    ])
    const mapped = { Detail: { de: { Title: 'x' } }, Mapping: { it: { id: '7' } } }
    expect(hasLanguage(region, mapped)).toEqual(['de'])
  })
})

const event = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Event')

function check(members: object) {
  if (event === undefined) throw new Error('no Event')
  const { takes, refusals, warnings } = checkOf(event)
  const record = { Id: 'a', ...members }
  const [refused, warned] = [refusals, warnings].map((faultsOf) =>
    faultsOf(record).map(({ pointer }) => pointer),
  )
  expect(takes(record)).toBe(refused?.length === 0)
  return { refused, warned }
}

describe('A field of an unexpected type', () => {
  it.each([
    [{ EventDate: [{ Cancelled: '0' }] }, '/EventDate/0/Cancelled'],
    [{ EventDate: [{ PriceFrom: '12,5' }] }, '/EventDate/0/PriceFrom'],
    [{ Shortname: 7 }, '/Shortname'],
    [{ Detail: [] }, '/Detail'],
    [{ ImageGallery: 'none' }, '/ImageGallery'],
    [{ Active: 'true' }, '/Active'],
    [{ HubActive: '0' }, '/HubActive'],
    [{ LicenseInfo: { ClosedData: 'TRUE' } }, '/LicenseInfo/ClosedData'],
    [{ LicenseInfo: { ClosedData: ' true\t\r\n' } }, '/LicenseInfo/ClosedData'],
    [{ GpsInfo: [{ Latitude: '46,5', Longitude: 11 }] }, '/GpsInfo/0/Latitude'],
    [{ Latitude: '-90', Longitude: '180' }, '/Latitude'],
  ])('is stored if the hub does not compute with it, or can convert it: %j', (sent, at) => {
    const { refused, warned } = check(sent)
    expect(refused).toEqual([])
    expect(warned).toContain(at)
  })

  it.each([
    [{ Active: 'perhaps' }, '/Active'],
    [{ Active: [true] }, '/Active'],
    [{ LicenseInfo: { ClosedData: 'no' } }, '/LicenseInfo/ClosedData'],
    [{ LicenseInfo: { ClosedData: '\u00a0true' } }, '/LicenseInfo/ClosedData'],
    [{ LicenseInfo: 'CC0' }, '/LicenseInfo'],
    [{ GpsInfo: {} }, '/GpsInfo'],
    [{ GpsInfo: [{ Longitude: 1_150_000 }] }, '/GpsInfo/0/Longitude'],
    [{ GpsInfo: [{ Longitude: '1150000' }] }, '/GpsInfo/0/Longitude'],
    [{ Latitude: '90.1' }, '/Latitude'],
    [{ EventDate: [{ From: '20.11.2026' }] }, '/EventDate/0/From'],
    [{ EventDate: [{ Begin: '25:00' }] }, '/EventDate/0/Begin'],
    [{ EventDate: [{ End: '10:75' }] }, '/EventDate/0/End'],
    [{ EventDate: 'never' }, '/EventDate'],
    [{ TagIds: [7] }, '/TagIds/0'],
    [{ Mapping: { lts: 1 } }, '/Mapping/lts'],
  ])('is refused if the hub computes with it: %j', (sent, at) => {
    expect(check(sent).refused).toEqual([at])
  })

  it.each([
    '0001-01-01T00:00:00',
    '2024-02-29',
    '2000-02-29 10:15',
    '2026-12-31T24:00:00+05:30',
    '2026-06-30T23:59:59.999Z',
  ])('is not reported for the time %s', (LastChange) => {
    expect(check({ LastChange, EventDate: [{ Begin: '9:05', End: '1.00:00:00' }] })).toEqual({
      refused: [],
      warned: [],
    })
  })

  it.each([
    ...[
      '2026-02-30',
      '2026-04-31',
      '2025-02-29',
      '2100-02-29',
      '2026-13-01',
      '2026-00-10',
      '0000-01-01',
    ],
    ...['2026-02-28T25:00:00', '2026-02-28T10:60', '2026-02-28T24:01', '2026-02-28T10:00+25:00'],
  ])('is refused as a time that does not exist: %s', (LastChange) => {
    expect(check({ LastChange }).refused).toEqual(['/LastChange'])
  })

  it('is refused even after many other faults', () => {
    const odd = Array.from({ length: 50 }, () => ({ Cancelled: [1] }))
    expect(check({ EventDate: [...odd, { From: 7 }] }).refused).toEqual(['/EventDate/50/From'])
  })

  it('is reported at most eight times for each record', () => {
    const odd = Array.from({ length: 50 }, () => ({ Cancelled: [1] }))
    const { refused, warned } = check({ EventDate: odd })
    expect(refused).toEqual([])
    expect(warned).toEqual([
      ...Array.from({ length: 8 }, (_, at) => `/EventDate/${String(at)}/Cancelled`),
      '',
    ])
  })
})

describe('Tags in lower case', () => {
  const [strict, compatible] = (['strict', 'compatible'] as const).map((profile) =>
    entitiesOf(toNaming('ODH'), profile).find(({ name }) => name === 'Tag'),
  )
  const sent = {
    ...{ Id: 'ÄB', TagIds: ['X', 'y'], Tags: [{ Id: 'X', Name: 'X' }, null], SmgTags: 'Z' },
    ...{
      ODHTags: [{ Id: 'Q', Self: 'S' }],
      ODHTagIds: ['R'],
      Types: ['Kept'],
      LTSTags: [{ Id: 'L' }],
    },
  }

  it('replace the Id of a record and the tags that it references', () => {
    if (strict === undefined) throw new Error('no Tag')
    const { record, renamed } = withLowerTags(strict, sent)
    expect(record).toEqual({
      ...{
        ...sent,
        Id: 'äb',
        TagIds: ['x', 'y'],
        Tags: [{ Id: 'x', Name: 'X' }, null],
        SmgTags: 'z',
      },
      ...{ ODHTags: [{ Id: 'q', Self: 'S' }], ODHTagIds: ['r'] },
    })
    expect(renamed.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/Id',
      '/ODHTagIds/0',
      '/ODHTags/0/Id',
      '/SmgTags',
      '/TagIds/0',
      '/Tags/0/Id',
    ])
    expect(withLowerTags(strict, record).record).toBe(record)
    const flood = { Id: 'a', TagIds: Array.from({ length: 1_000 }, () => 'A') }
    expect(checkOf(strict).warnings(flood)).toHaveLength(101)
  })

  it('do not apply to the compatible profile, in a push or over HTTP', () => {
    if (compatible === undefined) throw new Error('no Tag')
    expect(withLowerTags(compatible, sent)).toEqual({ record: sent, renamed: [] })
    expect(checkOf(compatible).warnings({ Id: 'ÄB', TagIds: ['X'] })).toEqual([])
    const body = { Id: 'ÄB' }
    const contentType = 'application/json'
    expect(readCreations({ entity: compatible, body, contentType })).toMatchObject([{ id: 'ÄB' }])
  })
})
