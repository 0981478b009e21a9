import { describe, expect, it } from 'vitest'
import { aStation, current } from '../../../test/contract/datex/a-station.ts'
import { all, readXml, text, texts } from '../../../test/contract/datex/xml-tree.ts'
import { buildExit } from '../../../test/fuzz/datex3.ts'
import type { CurrentStation } from '../../timeseries/index.ts'
import type { Exit } from '../keep-exit.ts'
import { parkingExits } from './parking.ts'

const [table, status] = parkingExits({ country: 'it', language: 'de' })
if (table === undefined || status === undefined) throw new Error('There are two exits.')

type Given = Parameters<typeof aStation>[0]

const park = (given: Given) =>
  aStation({ type: 'ParkingStation', origin: 'FAMAS', metadata: { capacity: 100 }, ...given })
const sensor = (given: Given) =>
  aStation({ type: 'ParkingSensor', code: 'X', origin: 'FAMAS', ...given })

function read(exit: Exit, ...stations: readonly CurrentStation[]) {
  const built = buildExit(exit, current(...stations))
  const path = `/traffic/datex/3/${exit.name.replace('datex3/', '')}/famas`
  const tree = readXml(built.documents.get(`${path}#xml`)?.body ?? '<none/>')
  const json: unknown = JSON.parse(built.documents.get(`${path}#json`)?.body ?? 'null')
  return { built, tree, json }
}

const elements = (...stations: readonly CurrentStation[]) =>
  all(read(table, ...stations).tree, 'parkingTable/hierarchyElementGeneral')

describe('The table of car parks', () => {
  it('has the capacity, kind and address of a car park, and its reserved spaces', () => {
    const metadata = {
      capacity: 403,
      disabledcapacity: 10,
      municipality: 'Bolzano - Bozen',
      name_de: 'Waltherplatz',
      name_it: 'Piazza Walther',
      netex_parking: {
        type: 'parkAndRide',
        layout: 'underground',
        vehicletypes: 'allPassengerVehicles',
      },
    }
    const [place, kept] = elements(park({ code: '103', metadata }))
    if (place === undefined || kept === undefined) throw new Error('There are two elements.')
    expect(place.attributes).toMatchObject({ 'xsi:type': 'prk:Place', id: '103' })
    expect(
      all(place, 'name/values/value').map((each) => [each.attributes['lang'], each.text]),
    ).toEqual([
      ['de', 'Waltherplatz'],
      ['it', 'Piazza Walther'],
    ])
    expect(text(place, 'layout')).toBe('building')
    expect(text(place, 'layer')).toBe('0')
    const kind = all(place, 'commonComponents/characteristics')[0]?.children.map(
      (each) => each.text,
    )
    expect(kind).toEqual(['underground', 'offStreetStructure', 'covered', '403'])
    expect(texts(place, 'commonComponents/operatingPattern/type')).toEqual(['parkAndRide'])
    expect(text(place, '**/address/city/values/value')).toBe('Bolzano - Bozen')
    expect(text(place, 'applicableForVehicles/vehicleType')).toBe('car')
    expect(kept.attributes).toMatchObject({ 'xsi:type': 'prk:SubplaceElement', id: '103-disabled' })
    expect(all(kept, 'parentId')[0]?.attributes['id']).toBe('103')
    expect(text(kept, '**/spacesTotal')).toBe('10')
    expect(text(kept, '**/operatingPattern/type')).toBe('disabledPersonPermitOnly')
  })

  it('has stations below their facility, and sensors below their station', () => {
    const facility = { type: 'ParkingFacility', code: 'F', origin: 'FAMAS' }
    const found = elements(
      sensor({ parent: { type: 'ParkingStation', code: 'A' } }),
      park({ code: 'A', parent: facility }),
      park({ code: 'B', parent: { ...facility, code: 'unknown' } }),
      park(facility),
    )
    expect(
      found.map((each) => [
        each.attributes['id'],
        each.attributes['xsi:type'],
        all(each, 'parentId')[0]?.attributes['id'],
        text(each, 'layer'),
      ]),
    ).toEqual([
      ['ParkingFacility:F', 'prk:Place', undefined, '0'],
      ['A', 'prk:SubplaceElement', 'ParkingFacility:F', '1'],
      ['B', 'prk:Place', undefined, '0'],
      ['ParkingSensor:X', 'prk:Space', 'A', '2'],
    ])
  })

  it('leaves out car parks without a valid capacity or a position', () => {
    const { built } = read(
      table,
      park({ code: 'a', metadata: {} }),
      park({ code: 'b', metadata: { capacity: -1 } }),
      park({ code: 'c', position: null }),
      park({ code: 'd' }),
    )
    expect(built.published).toBe(1)
    expect(built.leftOut.map(({ code, lacks }) => [code, lacks])).toEqual([
      ['a', 'capacity'],
      ['b', 'capacity'],
      ['c', 'position'],
    ])
  })
})

describe('Origins with the same URL', () => {
  it.each([table, status])('are not all published: the others are reported', (exit) => {
    const metadata = { capacity: 9, disabledcapacity: 1 }
    const { built, tree } = read(
      exit,
      park({ code: 'a', origin: 'Famas', metadata }),
      park({ code: 'b', origin: 'FAMAS', metadata }),
      park({ code: 'c', origin: 'famas', metadata }),
    )
    expect(built.leftOut).toEqual(
      [
        ['b', 'FAMAS'],
        ['a', 'Famas'],
      ].map(([code, origin]) => ({
        type: 'ParkingStation',
        code,
        lacks: 'origin',
        reason: `Its origin "${String(origin)}" has the same URL as "famas".`,
      })),
    )
    expect(built.published).toBe(2)
    expect(text(tree, 'publicationCreator/nationalIdentifier')).toBe('famas')
  })
})

describe('A URL', () => {
  it.each([table, status])('stays with the origin that had the first station', (exit) => {
    const metadata = { capacity: 9 }
    const { built } = read(
      exit,
      park({ id: 7, code: 'a', origin: 'lp-park', metadata }),
      park({ id: 3, code: 'b', origin: 'LP_PARK', metadata }),
      park({ id: 9, code: 'c', origin: 'LP_PARK', metadata }),
    )
    expect(built.leftOut.map(({ code }) => code)).toEqual(['a'])
    const [document] = built.documents.values()
    expect(document?.body).toContain('>LP_PARK<')
  })
})

describe('The status of car parks', () => {
  const said = (values: Readonly<Record<string, unknown>>, given: Given = {}) =>
    all(read(status, park({ values, ...given })).tree, 'parkingStatusInformation').map((each) => ({
      vacant: text(each, 'occupancy/numberOfVacantSpaces'),
      occupied: text(each, 'occupancy/numberOfOccupiedSpaces'),
      percent: text(each, 'occupancy/occupancy'),
      status: text(each, 'status'),
    }))

  it.each([
    [
      { free: 40, occupied: 60 },
      { vacant: '40', occupied: '60', percent: '60', status: 'spacesAvailable' },
    ],
    [{ free: 0 }, { vacant: '0', occupied: '100', percent: '100', status: 'full' }],
    [{ occupied: 33 }, { vacant: '67', occupied: '33', percent: '33', status: 'spacesAvailable' }],
    [
      { free: -2 },
      { vacant: undefined, occupied: undefined, percent: undefined, status: 'unknown' },
    ],
    [{}, { vacant: undefined, occupied: undefined, percent: undefined, status: 'unknown' }],
  ])('with %j is %j', (values, expected) => {
    expect(said(values)).toEqual([expected])
  })

  it('has reserved spaces, the opening status and single spaces', () => {
    const metadata = { capacity: 100, disabledcapacity: 5 }
    const values = { free: 3, free_disabled: 2, open: 'false' }
    const { tree, json } = read(
      status,
      park({ code: 'A', metadata, values }),
      sensor({ values: { occupied: 1 } }),
      sensor({ code: 'Y' }),
    )
    const [place, kept, taken, unknown] = all(tree, 'parkingStatusInformation')
    expect(place && text(place, 'openingStatus')).toBe('closed')
    expect(kept && text(kept, 'occupancy/numberOfVacantSpaces')).toBe('2')
    expect(taken?.attributes['xsi:type']).toBe('prk:SpaceStatus')
    expect(taken && text(taken, 'occupied')).toBe('true')
    expect(unknown && [unknown.attributes['xsi:type'], text(unknown, 'occupied')]).toEqual([
      undefined,
      undefined,
    ])
    expect(JSON.stringify(json)).toContain('"prkSpaceStatus":{"reference":{"idG":"ParkingSensor:X"')
  })
})
