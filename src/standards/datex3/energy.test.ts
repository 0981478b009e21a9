import { describe, expect, it } from 'vitest'
import { aStation, current } from '../../../test/contract/datex/a-station.ts'
import { all, readXml, text, texts } from '../../../test/contract/datex/xml-tree.ts'
import { buildExit } from '../../../test/fuzz/datex3.ts'
import type { CurrentStation } from '../../timeseries/index.ts'
import type { Exit } from '../keep-exit.ts'
import { energyExits } from './energy.ts'

const [table, status] = energyExits({ country: 'it', language: 'de' })
if (table === undefined || status === undefined) throw new Error('There are two exits.')

const plug = (given: Partial<CurrentStation>, values = {}) =>
  aStation({
    type: 'EChargingPlug',
    code: 'P1',
    name: 'plug 1',
    parent: { type: 'EChargingStation', code: 'S1' },
    ...given,
    values,
  })

function read(exit: Exit, ...stations: readonly CurrentStation[]) {
  const built = buildExit(exit, current(...stations))
  const path = `/traffic/datex/3/${exit.name.replace('datex3/', '')}/alperia`
  const { body: xml = '', changed } = built.documents.get(`${path}#xml`) ?? {}
  const json: unknown = JSON.parse(built.documents.get(`${path}#json`)?.body ?? 'null')
  return { built, xml, tree: () => readXml(xml), json, changed }
}

describe('The table of charging stations', () => {
  const described = aStation({
    metadata: {
      operator: 'Alperia Smart Mobility',
      city: 'Bozen',
      address: 'Bahnhofsplatz 1',
      postalCode: '39100',
      country: 'ITA',
      openingTimes: { twentyfourseven: true },
      parkingType: 'ON_STREET',
      paymentInfo: 'https://charging.example/pay',
      capabilities: ['RFID_READER', 'UNHEARD_OF', 'CREDIT_CARD_PAYABLE'],
      categories: ['CAR'],
    },
  })
  const outlets = [
    { id: '1', outletTypeCode: 'CCS', maxPower: 150.1, hasFixedCable: true },
    { id: '2', outletTypeCode: 'Type2Mennekes', maxPower: '22', hasFixedCable: false },
  ]
  const both = read(table, described, plug({ metadata: { evseId: 'IT*ALP*E1', outlets } }))

  it('leaves out metadata of unexpected types', () => {
    const odd = { toString: 1 }
    const metadata = { openingTimes: { regular_hours: [{ weekday: odd, period_begin: odd }] } }
    expect(read(table, aStation({ metadata: { capacity: 2, ...metadata } })).built.published).toBe(
      1,
    )
  })

  it('has a site with a station, its charging points and their connectors', () => {
    const [site] = all(both.tree(), 'energyInfrastructureTable/energyInfrastructureSite')
    if (site === undefined) throw new Error('There is no site.')
    expect(site.attributes['id']).toBe('S1-site')
    expect(texts(site, 'name/values/value')).toEqual(['Bahnhof'])
    expect(text(site, 'typeOfSite')).toBe('onstreet')
    expect(texts(site, 'operator/name/values/value')).toEqual(['Alperia Smart Mobility'])
    expect(text(site, 'informationWebsite/urlLinkAddress')).toBe('https://charging.example/pay')
    expect(all(site, 'operatingHours')[0]?.attributes['xsi:type']).toBe('afac:OpenAllHours')
    const address = 'locationReference/_locationExtension/afirFacilityLocation/address'
    expect(text(site, `${address}/countryCode`)).toBe('IT')
    expect(text(site, `${address}/addressLine/text/values/value`)).toBe('Bahnhofsplatz 1')
    const [station] = all(site, 'energyInfrastructureStation')
    if (station === undefined) throw new Error('There is no station.')
    expect(station.attributes['id']).toBe('S1')
    expect(texts(station, 'authenticationAndIdentificationMethods')).toEqual(['rfid', 'creditCard'])
    expect(text(station, 'numberOfRefillPoints')).toBe('1')
    const [point] = all(station, 'refillPoint')
    expect(point?.attributes).toMatchObject({ 'xsi:type': 'aegi:ElectricChargingPoint', id: 'P1' })
    expect(point && text(point, 'currentType')).toBe('dc')
    expect(point && text(point, 'usageType')).toBe('electricVehicle')
    const connectors = point === undefined ? [] : all(point, 'connector')
    expect(connectors.map((each) => each.children.map((child) => child.text))).toEqual([
      ['iec62196T2COMBO', 'CCS', 'otherCable', '150100'],
      ['iec62196T2', 'Type2Mennekes', 'socket', '22000'],
    ])
  })

  it('has the same content in the JSON encoding of DATEX II', () => {
    expect(both.json).toMatchObject({
      payload: {
        modelBaseVersionG: '3',
        versionG: '3.7',
        profileNameG: 'AFIR Energy Infrastructure',
        aegiEnergyInfrastructureTablePublication: {
          lang: 'de',
          publicationTime: '2026-11-19T08:00:00.000Z',
          publicationCreator: { country: 'IT', nationalIdentifier: 'ALPERIA' },
          energyInfrastructureTable: [
            {
              idG: 'ALPERIA',
              energyInfrastructureSite: [
                {
                  idG: 'S1-site',
                  name: { values: [{ value: 'Bahnhof' }] },
                  operatingHours: { afacOpenAllHours: {} },
                  operator: {
                    afacAnOrganisation: { name: { values: [{ value: 'Alperia Smart Mobility' }] } },
                  },
                  locationReference: {
                    locPointLocation: {
                      coordinatesForDisplay: { latitude: 46.5, longitude: 11.35 },
                      locLocationExtensionG: {
                        afirFacilityLocation: { address: { countryCode: 'IT' } },
                      },
                    },
                  },
                  energyInfrastructureStation: [
                    {
                      numberOfRefillPoints: 1,
                      refillPoint: [
                        {
                          aegiElectricChargingPoint: {
                            idG: 'P1',
                            externalIdentifier: [
                              {
                                identifier: 'IT*ALP*E1',
                                typeOfIdentifier: { value: 'extendedG', extendedValueG: 'evseId' },
                              },
                            ],
                            currentType: { value: 'dc' },
                            connector: [{ maxPowerAtSocket: 150100 }, { maxPowerAtSocket: 22000 }],
                          },
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      },
    })
  })

  it('reads connectors in the format of OCPI', () => {
    const connectors = [
      {
        standard: 'IEC_62196_T2',
        format: 'SOCKET',
        power_type: 'AC_3_PHASE',
        max_electric_power: 22000,
        max_voltage: 400,
      },
    ]
    const { tree } = read(table, aStation({}), plug({ metadata: { connectors } }))
    const [point] = all(tree(), 'energyInfrastructureTable/**/refillPoint')
    expect(point && text(point, 'chargingMode')).toBe('mode3AC3p')
    expect(point && text(point, 'connector/maxPowerAtSocket')).toBe('22000')
    expect(point && text(point, 'connector/voltage')).toBe('400')
  })

  it('groups opening hours by the days that share them', () => {
    const regular_hours = [
      { weekday: 1, period_begin: '08:30', period_end: '20:00' },
      { weekday: 2, period_begin: '08:30', period_end: '20:00' },
      { weekday: 6, period_begin: '09:00', period_end: '24:00' },
      { weekday: 9, period_begin: '09:00', period_end: '12:00' },
    ]
    const { tree } = read(
      table,
      aStation({ metadata: { capacity: 2, opening_times: { regular_hours } } }),
    )
    const periods = all(tree(), '**/operatingHours/overallPeriod/validPeriod')
    expect(periods.map((period) => texts(period, '**/applicableDay'))).toEqual([
      ['monday', 'tuesday'],
      ['saturday'],
    ])
    expect(periods.map((period) => text(period, '**/endTimeOfPeriod'))).toEqual([
      '20:00:00',
      '23:59:59',
    ])
  })

  it('lists a station without plugs with its capacity, but without charging points', () => {
    const { tree } = read(table, aStation({ metadata: { capacity: 4 } }))
    expect(text(tree(), '**/numberOfRefillPoints')).toBe('4')
    expect(all(tree(), '**/refillPoint')).toEqual([])
  })

  it('states that the current of a plug is unknown if its outlets are missing', () => {
    const { xml, json } = read(table, aStation({}), plug({}))
    expect(xml).toContain('<aegi:currentType _extendedValue="unknown">_extended</aegi:currentType>')
    expect(JSON.stringify(json)).toContain(
      '"currentType":{"value":"extendedG","extendedValueG":"unknown"}',
    )
  })

  it('leaves out stations that cannot be published, and reports why', () => {
    const nowhere = { longitude: 0, latitude: 0 }
    const { built } = read(
      table,
      aStation({ metadata: { capacity: 1 } }),
      plug({ metadata: { outlets: [{ id: '1', outletTypeCode: 'CCS' }] } }),
      aStation({ code: 'zero', position: nowhere }),
      aStation({ code: 'far', position: { longitude: 200, latitude: 46 } }),
      aStation({ code: 'none', position: null }),
      aStation({ code: 'empty' }),
      aStation({ code: 'nobody', origin: null }),
      aStation({ code: 'gone', active: false }),
      plug({ code: 'lone', parent: null }),
      plug({ code: 'lost', parent: { type: 'EChargingStation', code: 'zero' } }),
    )
    expect(built.published).toBe(1)
    expect(built.leftOut.map(({ code, lacks }) => [code, lacks])).toEqual([
      ['zero', 'position'],
      ['far', 'position'],
      ['none', 'position'],
      ['empty', 'capacity'],
      ['nobody', 'origin'],
      ['gone', 'active'],
      ['lone', 'station'],
      ['lost', 'station'],
      ['P1', 'power'],
    ])
  })

  it('does not depend on values, and has new versions only of stations that change', () => {
    const station = (name: string, free: number) =>
      aStation({ name, metadata: { capacity: 2 }, values: { 'number-available': free } })
    const other = aStation({ code: 'S2', metadata: { capacity: 1 } })
    const versions = (name: string) =>
      all(read(table, station(name, 1), other).tree(), '**/energyInfrastructureSite').map(
        ({ attributes }) => attributes['version'],
      )
    expect(read(table, station('A', 1)).xml).toBe(read(table, station('A', 2)).xml)
    const [before, after] = [versions('A'), versions('B')]
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).toBe(before[1])
    expect(table.concerned.dataTypes).toEqual([])
  })
})

describe('The status of charging stations', () => {
  const states = (given: object) => {
    const { tree, json, changed } = read(
      status,
      aStation({ values: { 'number-available': 1 } }),
      plug({}, given),
    )
    const [point] = all(tree(), '**/refillPointStatus')
    return { point, json, changed, tree: tree() }
  }

  it.each([
    [{ 'echarging-plug-status': 1 }, 'available'],
    [{ 'echarging-plug-status': 0 }, 'unavailable'],
    [{ 'echarging-plug-status': 0, 'echarging-plug-status-ocpi': 'CHARGING' }, 'charging'],
    [{ 'echarging-plug-status-ocpi': 'OUTOFORDER' }, 'outOfOrder'],
    [{ 'echarging-plug-status': 7 }, 'unknown'],
    [{}, 'unknown'],
  ])('of a plug with %j is %s', (given, state) => {
    const { point } = states(given)
    expect(point && text(point, 'status')).toBe(state)
  })

  it('refers to the versions of the table, with the time of the value', () => {
    const { point, tree, changed, json } = states({ 'echarging-plug-status': 1 })
    const written = read(table, aStation({}), plug({})).tree()
    const ofPoint = all(written, '**/refillPoint')[0]?.attributes
    const { attributes } = (point && all(point, 'reference')[0]) ?? {}
    expect(attributes).toMatchObject({ id: ofPoint?.['id'], version: ofPoint?.['version'] })
    expect(point && text(point, 'lastUpdated')).toBe('2026-11-20T12:00:00.000Z')
    expect(text(tree, '**/isAvailable')).toBe('true')
    expect(text(tree, 'publicationTime')).toBe('2026-11-20T12:00:01.000Z')
    expect(changed?.toISOString()).toBe('2026-11-20T12:00:01.000Z')
    const [reference, of] = [
      all(tree, 'tableReference')[0],
      all(written, 'energyInfrastructureTable')[0],
    ]
    expect(reference?.attributes['version']).toBe(of?.attributes['version'])
    expect(JSON.stringify(json)).toContain(
      '"refillPointStatus":[{"aegiElectricChargingPointStatus":{"reference":{"idG":"P1"',
    )
  })
})
