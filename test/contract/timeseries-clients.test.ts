import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConformanceHub, pushAll } from '../fixtures/conformance-hub.ts'
import { describeOnEachEngine } from '../fixtures/databases.ts'

/**
 * What the public clients of the public system send, with what they read from the answer. In the
 * compatible profile they run unchanged (decision D0).
 */

const recorded = '2026-11-20T10:00:00Z'
const provenance = { name: 'collector', version: '1', lineage: 'X' }
const power = [{ id: '1', maxPower: 22, outletTypeCode: 'Type2Mennekes' }]

const stations = (stationType: string, origin: string, items: readonly object[]) => ({
  kind: 'stations',
  ...{ stationType, origin, items },
})
const values = (stationType: string, period: number, items: readonly unknown[]) => ({
  kind: 'measurements',
  ...{ stationType, period, provenance, recorded, items },
})
const at = '2026-11-20T09:00:00.000Z'

const messages = [
  stations('VMS', 'X', [{ code: 'v1' }]),
  stations('EChargingStation', 'Neogy', [
    {
      code: 'es1',
      name: 'ES 1',
      coordinate: [11.4, 46.5],
      metadata: { state: 'ACTIVE', accessType: 'PUBLIC', capacity: 2 },
    },
  ]),
  stations('EChargingPlug', 'Neogy', [
    {
      code: 'es1-1',
      coordinate: [11.4, 46.5],
      parent: { type: 'EChargingStation', code: 'es1' },
      metadata: { outlets: power, connectors: [{ standard: 'IEC' }] },
    },
  ]),
  stations('ParkingStation', 'FAMAS', [
    { code: '107', name: 'P Bozen', coordinate: [11.35, 46.5], metadata: { name_it: 'Bolzano' } },
  ]),
  stations('BluetoothStation', 'A22', [{ code: 'x', coordinate: [11, 46] }, { code: 'y' }]),
  stations('LinkStation', 'A22', [{ code: 'x->y', name: 'X - Y', metadata: { metrofine: 9 } }]),
  {
    kind: 'edges',
    edgeType: 'LinkStation',
    origin: 'A22',
    items: [
      {
        code: 'x-y',
        name: 'X to Y',
        from: { type: 'BluetoothStation', code: 'x' },
        to: { type: 'BluetoothStation', code: 'y' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [11, 46],
            [11.1, 46.1],
          ],
        },
      },
    ],
  },
  {
    kind: 'dataTypes',
    items: [
      { name: 'esposizione', metadata: { 'signal-codes': [{ id: '0' }] } },
      ...['number-available', 'echarging-plug-status', 'free', 'tempo'].map((name) => ({ name })),
      ...["velocita'", 'parking-forecast-60', 'a (b)'].map((name) => ({ name })),
    ],
  },
  values('VMS', 600, [['v1', 'esposizione', at, 'text']]),
  values('EChargingStation', 600, [['es1', 'number-available', at, 1]]),
  values('EChargingPlug', 600, [['es1-1', 'echarging-plug-status', at, 'AVAILABLE']]),
  values('ParkingStation', 300, [
    ['107', 'free', at, 12],
    ['107', 'parking-forecast-60', at, 11],
  ]),
  values('LinkStation', 3600, [
    ['x->y', 'tempo', at, 60],
    ['x->y', "velocita'", at, 88],
    ['x->y', 'a (b)', at, 1],
  ]),
  {
    kind: 'events',
    origin: 'PROVINCE_BZ',
    items: [
      {
        uuid: 'e1',
        series: 's1',
        name: 'works',
        category: 'road works (x)',
        start: '2026-11-19T00:00:00Z',
        end: '2026-11-30T00:00:00Z',
        geometry: { type: 'Point', coordinates: [11.35, 46.5] },
        metadata: { subTycodeValue: 'A' },
      },
    ],
  },
]

const shared = 'distinct=true&shownull=false&offset=0&limit=-1&origin=webcomp-x'
const day = '2026-11-20T00:00:00.000Z/2026-11-21T00:00:00.000Z'
const box = 'scoordinate.bbi.(10.380587,46.219386,12.479683,47.097544)'

const flat = (...rows: readonly object[]) => ({ data: rows })
const tree = (type: string, code: string, station: object) => ({
  data: { [type]: { stations: { [code]: station } } },
})
const measured = (name: string, value: unknown) => ({
  sdatatypes: { [name]: { tmeasurements: [{ mvalue: value }] } },
})

/** Client, address behind `/v2`, and what it reads. */
const calls: readonly (readonly [client: string, url: string, reads: object])[] = [
  [
    'databrowser',
    'flat/EChargingStation?limit=25&offset=0&language=en',
    { offset: 0, limit: 25, ...flat({ scode: 'es1', smetadata: { capacity: 2 } }) },
  ],
  [
    'databrowser',
    'flat/EChargingStation/*/latest?where=and(scode.eq."es1")',
    flat({ scode: 'es1', mvalue: 1, _timestamp: '2026-11-20 09:00:00.000+0000' }),
  ],
  ['databrowser', 'flat,event/PROVINCE_BZ?where=and(evuuid.eq."e1")', flat({ evuuid: 'e1' })],
  ['databrowser', 'flat/ParkingStation?limit=1000000&where=scode.eq."107"', flat({ scode: '107' })],
  [
    'timeseries-analytics',
    'flat/VMS/esposizione/?limit=200&offset=0&shownull=false&distinct=true&select=tmetadata',
    flat({ tmetadata: { 'signal-codes': [{ id: '0' }] } }),
  ],
  [
    'timeseries-analytics',
    'flat/EChargingStation/?limit=-1&distinct=true&select=scoordinate,scode,stype&where=',
    flat({ scoordinate: { x: 11.4, y: 46.5 }, scode: 'es1', stype: 'EChargingStation' }),
  ],
  [
    'timeseries-analytics',
    'tree/EChargingStation/*/latest?limit=-1&distinct=true&select=tmeasurements&showNull=true&where=or(and(mperiod.eq.600,tname.eq."number-available"))',
    tree('EChargingStation', 'es1', measured('number-available', 1)),
  ],
  [
    'timeseries-analytics',
    'tree/LinkStation%2CVMS/*/latest?where=or(and(mperiod.eq.3600,tname.eq."a%20%5C(b%5C)"))&select=tmeasurements',
    tree('LinkStation', 'x->y', measured('a (b)', 1)),
  ],
  [
    'timeseries-analytics',
    'flat,edge/LinkStation/?limit=-1&distinct=true&select=egeometry,ecode,etype&where=eactive.eq.true',
    flat({ ecode: 'x-y', etype: 'LinkStation', egeometry: { type: 'LineString' } }),
  ],
  ['timeseries-analytics', `flat,event/PROVINCE_BZ/${at}/?limit=0&distinct=true`, flat({ evuuid: 'e1' })],
  [
    'timeseries-analytics',
    'flat,event/PROVINCE_BZ?select=evcategory&distinct=1',
    flat({ evcategory: 'road works (x)' }),
  ],
  [
    'timeseries-analytics',
    `tree,event/PROVINCE_BZ/${day}?where=and(evcategory.eq."road works %5C(x%5C)",evend.neq.null)&limit=-1`,
    { data: { PROVINCE_BZ: { eventseries: { s1: { events: { e1: { evname: 'works' } } } } } } },
  ],
  [
    'timeseries-analytics',
    'flat/LinkStation/tempo/latest?limit=-1&distinct=true&where=scode.eq."x->y"&select=mperiod',
    flat({ mperiod: 3600 }),
  ],
  [
    'analytics-v2',
    'tree/EChargingStation/*/latest?limit=-1&distinct=true&select=tmeasurements,sorigin&showNull=true',
    tree('EChargingStation', 'es1', { sorigin: 'Neogy', ...measured('number-available', 1) }),
  ],
  [
    'analytics-v2',
    'flat/%2A?limit=-1&offset=0&where=&select=sorigin&shownull=false&distinct=true',
    flat({ sorigin: 'A22' }, { sorigin: 'Neogy' }, { sorigin: 'FAMAS' }, { sorigin: 'X' }),
  ],
  ['analytics-v2', 'flat/%2A?select=stype&where=and(sorigin.eq.FAMAS)', flat({ stype: 'ParkingStation' })],
  [
    'analytics-v2',
    'flat/ParkingStation?limit=10&offset=0&select=sname,scode,scoordinate,stype&where=and(sname.ire.bozen,sorigin.eq.FAMAS)',
    flat({ sname: 'P Bozen', scode: '107' }),
  ],
  [
    'analytics-v2',
    `flat/ParkingStation/free/${day}?limit=-1&offset=0&select=mvalue,mvalidtime,mperiod&where=sname.eq.P Bozen,sorigin.eq.FAMAS,mperiod.eq.300,sactive.eq.true&shownull=false&distinct=true`,
    flat({ mvalue: 12, mvalidtime: '2026-11-20 09:00:00.000+0000', mperiod: 300 }),
  ],
  ['analytics-v2', 'flat%2Cnode/ParkingStation/?where=scode.eq."107"', flat({ scode: '107' })],
  [
    'echarging-dashboard',
    `flat/EChargingStation?select=scode,smetadata.state,smetadata.accessType&where=sactive.eq.true,${box}&${shared}`,
    flat({ scode: 'es1', 'smetadata.state': 'ACTIVE', 'smetadata.accessType': 'PUBLIC' }),
  ],
  [
    'echarging-dashboard',
    `flat/EChargingStation,EChargingPlug?select=scode,smetadata.outlets,smetadata.connectors&where=sactive.eq.true,pactive.eq.true&${shared}`,
    flat({ scode: 'es1-1', 'smetadata.outlets': power }),
  ],
  [
    'echarging-dashboard',
    `flat/EChargingPlug?select=smetadata.outlets.0.outletTypeCode,smetadata.connectors.0.standard&where=sactive.eq.true&${shared}`,
    flat({
      'smetadata.outlets.0.outletTypeCode': 'Type2Mennekes',
      'smetadata.connectors.0.standard': 'IEC',
    }),
  ],
  [
    'echarging-dashboard',
    `flat/EChargingPlug/echarging-plug-status/latest?select=scode,mvalue&where=and(sactive.eq.true,sorigin.eq.Neogy)&${shared}`,
    flat({ scode: 'es1-1', mvalue: 'AVAILABLE' }),
  ],
  [
    'echarging-dashboard',
    `flat/EChargingPlug?select=pcode,scode,pmetadata.state,smetadata.outlets&${shared}`,
    flat({ pcode: 'es1', scode: 'es1-1', 'pmetadata.state': 'ACTIVE' }),
  ],
  [
    'echarging-map',
    `flat/EChargingStation?where=sactive.eq.true,sorigin.neq.IIT&${shared}`,
    flat({ sname: 'ES 1', scoordinate: { x: 11.4, y: 46.5 } }),
  ],
  [
    'parking',
    'tree,node/ParkingStation/*/latest?where=sactive.eq.true,scode.eq."107"&select=scoordinate,smetadata,scode,sdatatypes,sname&origin=webcomp-parking',
    tree('ParkingStation', '107', { scode: '107', ...measured('free', 12) }),
  ],
  [
    'parking',
    'tree,node/ParkingStation/*/latest?where=and(or(smetadata.name_it.ire."BOLZ",sname.ire."q"),sactive.eq.true)&select=smetadata,scoordinate,sname',
    tree('ParkingStation', '107', { sname: 'P Bozen' }),
  ],
  [
    'traffic',
    'flat/LinkStation?where=sorigin.eq.A22,sactive.eq.true&limit=-1',
    flat({ scode: 'x->y', smetadata: { metrofine: 9 } }, { scode: 'x-y' }),
  ],
  [
    'traffic',
    'flat,edge/LinkStation?where=egeometry.neq.null,eactive.eq.true,ecode.in.(x-y,z-y)&limit=-1',
    flat({ ecode: 'x-y', sbtype: 'BluetoothStation', sbcoordinate: { x: 11, y: 46 } }),
  ],
  [
    'traffic',
    'flat,node/LinkStation/tempo/latest?limit=-1&select=scode,sdatatypes.tempo&where=scode.in.(x->y,b->c)&distinct=true',
    flat({ scode: 'x->y', mvalue: 60, mvalidtime: '2026-11-20 09:00:00.000+0000' }),
  ],
  [
    'traffic',
    `flat,node/LinkStation/tempo/${day}?limit=-1&select=scode,sdatatypes.tempo&where=scode.in.(x->y)`,
    flat({ scode: 'x->y', mvalue: 60 }),
  ],
  [
    'traffic',
    "flat,node/LinkStation/velocita'/latest?select=mvalue,scode,mvalidtime&where=scode.in.(x->y),mperiod.eq.3600",
    flat({ scode: 'x->y', mvalue: 88 }),
  ],
]

describeOnEachEngine('Clients of the public system', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await pushAll(database(), messages)
    app = await openConformanceHub(database(), 'compatible')
  })
  afterAll(() => app.close())

  it.each(calls)('are answered what they read: %s, /v2/%s', async (_, url, reads) => {
    const response = await app.inject({ url: `/v2/${url.replaceAll(' ', '%20').replaceAll('"', '%22')}` })
    expect({ status: response.statusCode, body: response.json() }).toMatchObject({
      status: 200,
      body: reads,
    })
  })
})
