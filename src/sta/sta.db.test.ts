import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arbitraryFilter } from '../../test/fixtures/arbitrary-sta-filter.ts'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { fillWithPlaces } from '../../test/fixtures/near-places.ts'
import { addValues } from '../../test/fixtures/near-stations.ts'
import { createTestApp, publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import { listOf, objectsOf } from '../lang/json.ts'
import { printFilter } from './filter/grammar.ts'
import { staRoutes } from './index.ts'

/** Expands eleven relations, three levels deep. */
const inner = 'Thing,Sensor,ObservedProperty,Observations'
const wide = `Datastreams($expand=Thing($expand=Datastreams,Locations,HistoricalLocations),${inner}),Locations($expand=Things),HistoricalLocations`

type Found = Readonly<Record<string, unknown>>

const root = `${publicUrl}/sta/v1.1`
const admin = { authorization: 'Bearer admin' }
const option = (name: string, value: string) => `$${name}=${encodeURIComponent(value)}`
const filter = (text: string) => option('filter', text)
const named = (name: string) => filter(`name eq '${name}'`)

describeWithDatabase('SensorThings', (database) => {
  let app: FastifyInstance
  const get = (path: string, headers = {}) =>
    app.inject({
      url: path.startsWith(publicUrl) ? path.slice(publicUrl.length) : `/sta/v1.1${path}`,
      headers,
    })
  const read = async (path: string, headers = {}): Promise<Found> => {
    const answer = await get(path, headers)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<Found>()
  }
  const setOf = async (path: string, headers = {}) =>
    objectsOf((await read(path, headers))['value'])
  const all = async (path: string, property: string, headers = {}) =>
    (await setOf(path, headers)).map((one) => one[property])

  beforeAll(async () => {
    const historyLimitOf = ({ header }: { readonly header: string | undefined }) => {
      return { policy: 'Test', days: header === undefined ? 5 : undefined }
    }
    const deps = { database: database(), publicUrl, visibilityOf, historyLimitOf }
    app = await createTestApp(staRoutes(deps))
    await fillWithPlaces(database())
    await addValues(
      database(),
      'Parking',
      ['01', '04', '08', '09', '10', '20'].map((day, place) => {
        return ['P2', 'history', `2026-10-${day}T00:00:00.0005Z`, place]
      }),
    )
    await addValues(database(), 'Bicycle', [
      ['b;1', 'battery', '2026-11-20T10:05:00Z', { level: 7, name: 'B' }],
    ])
  })
  afterAll(() => app.close())

  it('clamps $top, which strict handling refuses', async () => {
    await read('/Things?$top=2000')
    expect((await get('/Things?$top=2000', { prefer: 'handling=strict' })).statusCode).toBe(400)
  })

  it('lists its entity sets', async () => {
    const sets = await all('', 'url')
    expect(sets).toHaveLength(8)
    for (const url of sets) expect((await get(String(url))).statusCode).toBe(200)
  })

  it('shows a station as a thing, with links to related entities', async () => {
    expect(await read('/Things(1)')).toEqual({
      '@iot.id': 1,
      '@iot.selfLink': `${root}/Things(1)`,
      ...{ name: 'One', description: 'Parking P1' },
      properties: {
        ...{ type: 'Parking', code: 'P1', origin: 'OPEN', active: true },
        metadata: { city: 'Bozen' },
      },
      'Datastreams@iot.navigationLink': `${root}/Things(1)/Datastreams`,
      'Locations@iot.navigationLink': `${root}/Things(1)/Locations`,
      'HistoricalLocations@iot.navigationLink': `${root}/Things(1)/HistoricalLocations`,
    })
  })

  it('shows a series as a datastream, and its values as observations', async () => {
    const [first] = await setOf(`/Datastreams?${filter("Thing/properties/code eq 'P1'")}`)
    expect(first).toMatchObject({
      ...{ name: 'One: free', description: 'free of Parking P1, every 300 s' },
      observationType: 'http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_Measurement',
      unitOfMeasurement: { name: 'n', symbol: 'n', definition: null },
      phenomenonTime: '2026-11-20T10:00:00.000Z/2026-11-20T10:05:00.000Z',
    })
    const values = await setOf(`/Datastreams(${String(first?.['@iot.id'])})/Observations`)
    expect(values).toMatchObject([
      {
        result: 5,
        phenomenonTime: '2026-11-20T10:00:00.000Z',
        resultTime: '2026-11-20T10:00:00.000Z',
      },
      { result: 20 },
    ])
    // Each one is found by its identifier, in quotes or not, to the microsecond.
    const every = [...values, ...(await setOf(`/Observations?${filter('result lt 5')}`))]
    for (const one of every) {
      const id = String(one['@iot.id'])
      expect(await read(`/Observations(${id})`)).toEqual(one)
      expect(await read(String(one['@iot.selfLink']))).toEqual(one)
    }
    expect(every.map((one) => one['@iot.id'])).toContainEqual(expect.stringMatching(/\.5$/))
  })

  it.each([
    ['/Things(1)/Datastreams(1)/ObservedProperty/name', { name: 'free' }],
    ['/Datastreams(1)/Thing/$ref', { '@iot.selfLink': `${root}/Things(1)` }],
    ['/Things/$ref?$top=1&$orderby=id desc', { value: [{ '@iot.selfLink': `${root}/Things(7)` }] }],
    ['/HistoricalLocations(1)', { time: '2026-11-20T12:00:00.000Z' }],
    ['/Locations(1)/location', { location: { type: 'Point', coordinates: [11, 46.5] } }],
    ['/FeaturesOfInterest(3)/feature', undefined],
    ['/Sensors(1)/metadata', { metadata: 'OPEN' }],
    ['/Things(1)?$select=name,id', { '@iot.id': 1, name: 'One' }],
    [
      '/Things(1)?$select=Locations',
      { 'Locations@iot.navigationLink': `${root}/Things(1)/Locations` },
    ],
    ['/Things?$top=0&$count=true', { '@iot.count': 6, value: [] }],
  ])('responds to %s', async (path, expected) => {
    if (expected === undefined) expect((await get(path)).statusCode).toBe(204)
    else expect(await read(path)).toMatchObject(expected)
  })

  it('returns the raw value of a property', async () => {
    const { body, headers } = await get('/Things(1)/name/$value')
    expect([body, headers['content-type']]).toEqual(['One', 'text/plain; charset=utf-8'])
    expect((await get('/Locations(1)/location/$value')).json()).toHaveProperty('type', 'Point')
  })

  it.each([
    ['Things', "name eq 'One'", 'One'],
    ['Things', "name ne 'One' and not (name ge 'T')", 'Bikes,Shut,Silent'],
    [
      'Things',
      "substringof('ent', name) or endswith(name, 'wo') or startswith(tolower(name), 'o')",
      'One,Silent,Two',
    ],
    ['Things', "length(name) eq 3 and indexof(name, 'w') eq 1", 'Two'],
    ['Things', "substring(name, 1) eq 'ne' and substring(name, 0, 1) eq 'O'", 'One'],
    ['Things', "concat(trim(' x '), toupper(name)) eq 'xONE' and contains(name, 'n')", 'One'],
    ['Things', 'id gt 6 or @iot.id eq 1', 'Bikes,One'],
    ['Things', "properties/type eq 'Bicycle'", 'Bikes'],
    ['Things', "properties/metadata/city eq 'Bozen' and properties/active eq true", 'One'],
    ['Things', 'properties/metadata/city ne null and properties/active', 'One'],
    ['Things', "Datastreams/ObservedProperty/name eq 'history'", 'Two'],
    [
      'Things',
      "Datastreams/ObservedProperty/name eq 'free' and Datastreams/Observations/result gt 49",
      'Unplaced',
    ],
    [
      'Things',
      "st_within(Locations/location, geography'POLYGON ((10 46,11.005 46,11.005 47,10 47,10 46))')",
      'One',
    ],
    ['Things', "geo.distance(Locations/location, geography'POINT (11 46.5)') lt 500", 'One,Silent'],
    ['Things', "st_relate(Locations/location, geography'POINT (11 46.5)', 'T********')", 'One'],
    [
      'Datastreams',
      'properties/period eq 300 and ObservedProperty/id eq 2',
      'One: occupied,Shut: occupied',
    ],
    ['ObservedProperties', "Datastreams/properties/kind eq 'json'", 'battery'],
  ])('filters %s by %s', async (set, condition, names) => {
    expect((await all(`/${set}?${filter(condition)}`, 'name')).toSorted().join()).toBe(names)
  })

  it.each([
    ['result ge 20 and result mod 10 eq 0', [20, 80, 50]],
    ['result div 0 eq 1 or -result add 5 mul 2 gt 9', [0]],
    ["result eq 'OK; yes'", ['OK; yes']],
    ['result/level eq 7', [{ level: 7, name: 'B' }]],
    [
      'result ne null and Datastream/ObservedProperty/name ne FeatureOfInterest/name and result lt 2',
      [0, 1],
    ],
    ['phenomenonTime ge 2026-11-20T10:06:00Z', [80]],
    ["phenomenonTime sub duration'PT1M' eq 2026-11-20T11:05:00+01:00", [80]],
    ['phenomenonTime lt 2026-10-04', [0]],
    [
      'date(phenomenonTime) eq 2026-10-08 and year(resultTime) eq 2026 and hour(resultTime) eq 0',
      [2],
    ],
    ['month(phenomenonTime) eq 10 and day(phenomenonTime) eq 20 and phenomenonTime lt now()', [5]],
    [
      'second(phenomenonTime) eq 0 and fractionalseconds(phenomenonTime) gt 0 and ceiling(result div 2) eq 2',
      [3, 4],
    ],
    ["time(phenomenonTime) eq '10:06:00.000' and totaloffsetminutes(phenomenonTime) eq 0", [80]],
    [
      'phenomenonTime gt mindatetime() and phenomenonTime lt maxdatetime() and round(result sub 0.5) eq 4',
      [4],
    ],
  ])('filters observations by %s', async (condition, results: unknown[]) => {
    const { value, ...head } = await read(`/Observations?$count=true&${filter(condition)}`, {
      referer: 'app',
    })
    const found = objectsOf(value).map(({ result }) => result)
    expect(found).toEqual(expect.arrayContaining(results))
    expect([found.length, head['@iot.count']]).toEqual([results.length, results.length])
  })

  it.each([
    ['$orderby=name desc&$top=2', ['Unplaced', 'Two']],
    [
      '$orderby=properties/metadata/city,name&$skip=1',
      ['Bikes', 'Shut', 'Silent', 'Two', 'Unplaced'],
    ],
    [
      '$orderby=properties/active,properties/type desc,id desc&$top=3',
      ['Shut', 'Silent', 'Unplaced'],
    ],
  ])('sorts things by %s', async (options, names) => {
    expect(await all(`/Things?${options}`, 'name')).toEqual(names)
  })

  it.each([
    'Things',
    'Things?$orderby=name',
    'Datastreams?$orderby=Thing/name desc,name',
    'Observations?$orderby=result',
    'Observations?$orderby=phenomenonTime desc',
    'Observations?$orderby=result/level desc,resultTime',
    'Things(2)/Datastreams',
  ])('returns every entity of %s exactly once, page by page', async (path) => {
    const joint = path.includes('?') ? '&' : '?'
    const headers = { ...admin, referer: 'app' }
    const whole = await all(`/${path}${joint}$top=1000`, '@iot.selfLink', headers)
    const found: unknown[] = []
    let next: unknown = `/${path}${joint}$top=2&$count=true`
    while (typeof next === 'string') {
      const page = await read(next, headers)
      expect(page['@iot.count']).toBe(whole.length)
      found.push(...objectsOf(page['value']).map((one) => one['@iot.selfLink']))
      next = page['@iot.nextLink']
    }
    expect(found).toEqual(whole)
    expect(new Set(found).size).toBe(found.length)
  })

  it('expands nested relations, each with its own options', async () => {
    const inner =
      '$top=1;$count=true;$select=name;$orderby=name desc;$expand=ObservedProperty($select=name),Observations($filter=result gt 5;$select=result)'
    const path = `/Things?$top=2&${option('expand', `Datastreams(${inner}),Locations/HistoricalLocations`)}&$select=name`
    const [one, two] = await setOf(path)
    expect(one).toEqual({
      name: 'One',
      'Datastreams@iot.count': 2,
      Datastreams: [
        {
          name: 'One: occupied',
          ObservedProperty: { name: 'occupied' },
          Observations: [{ result: 80 }],
        },
      ],
      'Datastreams@iot.nextLink': expect.stringMatching(/Things\(1\)\/Datastreams\?.*\$skip=1$/),
      Locations: [
        expect.objectContaining({
          HistoricalLocations: [expect.objectContaining({ '@iot.id': 1 })],
        }),
      ],
    })
    expect(two?.['Datastreams']).toMatchObject([{ name: 'Two: history', Observations: [] }])
    const rest = await setOf(String(one?.['Datastreams@iot.nextLink']))
    expect(rest).toMatchObject([{ name: 'One: free', Observations: [{ result: 20 }] }])
  })

  it('limits the entities that a response expands, and links to the rest', async () => {
    const [two] = await setOf(
      `/Things?$top=1000&${named('Two')}&${option('expand', 'Datastreams($expand=Observations($top=1000))')}`,
    )
    const [first, second] = objectsOf(two?.['Datastreams'])
    expect(first?.['Observations']).toHaveLength(1)
    // A thousand things with five datastreams each leave room for one observation per datastream.
    expect(second?.['Observations']).toHaveLength(1)
    expect(second?.['Observations@iot.nextLink']).toMatch(/\$top=1000&\$skip=1$/)
  })

  it('limits the history in each page to the limit of the caller', async () => {
    const series = (await setOf(`/Datastreams?${named('Two: history')}`))[0]?.['@iot.id']
    const pages: unknown[] = []
    let next: unknown = `/Datastreams(${String(series)})/Observations?$count=true`
    while (typeof next === 'string') {
      const page = await read(next)
      expect(page['@iot.count']).toBe(6)
      pages.push(objectsOf(page['value']).map(({ result }) => result))
      next = page['@iot.nextLink']
    }
    expect(pages).toEqual([[0, 1], [2, 3, 4], [5]])
    const whole = await setOf(`/Datastreams(${String(series)})/Observations`, { referer: 'app' })
    expect(whole).toHaveLength(6)
    const expanded = await read(
      `/Datastreams(${String(series)})?${option('expand', 'Observations($orderby=phenomenonTime desc)')}`,
    )
    expect(expanded['Observations']).toMatchObject([{ result: 5 }])
    const more = await setOf(String(expanded['Observations@iot.nextLink']))
    expect(more).toMatchObject([{ result: 4 }, { result: 3 }, { result: 2 }])
  })

  it('shows values of closed stations only to callers with access', async () => {
    const shut = `/Observations?$count=true&${filter("Datastream/Thing/name eq 'Shut'")}`
    expect(await read(shut)).toEqual({ '@iot.count': 0, value: [] })
    expect((await get(shut)).headers['x-withheld']).toBe('records;reason=no-token')
    const { value } = await read(shut, admin)
    expect(objectsOf(value)).toHaveLength(2)
    const [first] = objectsOf(value)
    expect((await get(String(first?.['@iot.selfLink']))).statusCode).toBe(404)
    const series = `/Datastreams?${filter("Thing/name eq 'Shut' and ObservedProperty/name eq 'free'")}&$expand=Observations`
    expect((await setOf(series))[0]).not.toHaveProperty('phenomenonTime')
    expect((await setOf(series))[0]).toHaveProperty('Observations', [])
    expect((await setOf(series, admin))[0]).toHaveProperty('phenomenonTime')
    // Filters must not reveal closed values either.
    const asked = filter('Datastreams/Observations/result gt 49')
    expect(await all(`/Things?${asked}`, 'name')).toEqual(['One', 'Unplaced'])
    expect(await all(`/Things?${asked}`, 'name', admin)).toEqual(['One', 'Unplaced', 'Shut'])
  })

  it('returns 304 for unchanged data, by its text if it depends on the current time', async () => {
    const has = { 'if-none-match': (await get('/Observations')).headers.etag }
    expect((await get('/Observations', has)).statusCode).toBe(304)
    expect((await get('/Observations', { ...admin, ...has })).statusCode).toBe(200)
    const at = (operator: string) => `/Observations?${filter(`phenomenonTime ${operator} now()`)}`
    const ofText = { 'if-none-match': (await get(at('lt'))).headers.etag }
    const found = [await get(at('lt'), ofText), await get(at('gt'), ofText)]
    expect(found.map(({ statusCode }) => statusCode)).toEqual([304, 200])
  })

  it.each([
    ['/Things?$filter=nam eq 1', '$filter', 0, 'Did you mean name?'],
    ["/Things?$filter=name eq 'a", '$filter', 10, undefined],
    ["/Things?$filter=starswith(name,'a')", '$filter', 0, 'Did you mean startswith?'],
    ['/Things?$filter=startswith(name)', '$filter', 0, undefined],
    ['/Things?$filter=name gt 5', '$filter', 8, undefined],
    ['/Things?$filter=name', '$filter', 0, undefined],
    ['/Things?$filter=null eq null', '$filter', 0, undefined],
    ['/Things?$filter=Locations/location eq 5', '$filter', 0, undefined],
    ['/Things?$filter=name/first eq 5', '$filter', 0, undefined],
    ['/Datastreams?$filter=phenomenonTime gt 2026-01-01', '$filter', 0, undefined],
    ["/Observations?$filter=result eq 1 add duration'PT1S'", '$filter', 10, undefined],
    ['/Things?$orderby=Datastreams/name', '$orderby', 0, undefined],
    ['/Locations?$orderby=location', '$orderby', 0, undefined],
    ['/Things?$orderby=name up', '$orderby', 5, undefined],
    ['/Things?$select=title', '$select', 0, undefined],
    ['/Things?$expand=Datastream', '$expand', 0, 'Did you mean Datastreams?'],
    ['/Things?$expand=Datastreams($filter=nam eq 1)', '$expand', 20, 'Did you mean name?'],
    ['/Things?$expand=Datastreams($foo=1)', '$expand', 12, undefined],
    [`/Things?$expand=${wide}`, '$expand', 0, undefined],
    [`/Things?$expand=Datastreams${'/Thing/Datastreams'.repeat(3)}`, '$expand', 0, undefined],
  ])('reports the position of the error in %s', async (path, parameter, position, hint) => {
    const answer = await get(path)
    expect([answer.statusCode, answer.json<Found>()['errorCode']]).toEqual([400, 'HUB-QRY-018'])
    const [issue] = listOf(answer.json<Found>()['errors'])
    expect(issue).toMatchObject({ parameter, position, ...(hint === undefined ? {} : { hint }) })
  })

  it.each([
    ...['/Nothing', '/Things/Datastreams', '/Things(1)/Sensors', '/Things(1)/nam', '/Things(99)'],
    ...['/Things(99)/Datastreams', '/Things(x)', '/Things(4)', '/Things(99999999999)'],
    ...[
      '/Observations(1)',
      '/Observations(9223372036854775807)',
      '/Observations(1999999999999999)',
    ],
    ...['/Datastreams(1)/Thing(1)', '/Things(1)/name/$count', '/Things(1)/name/$value/x'],
  ])('returns 404 for %s', async (path) => {
    expect((await get(path)).json()).toMatchObject({ status: 404, errorCode: 'HUB-RTE-003' })
  })

  it('refuses writes with a hint to the push API', async () => {
    for (const url of ['/sta/v1.1/Things', '/sta/v1.1/Things(1)/Datastreams']) {
      const answer = await app.inject({ method: 'POST', url, payload: { name: 'x' } })
      expect(answer.json()).toMatchObject({ status: 405, hint: expect.stringContaining('/push') })
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
    }
  })

  it('refuses numbers that are too large, and fails in no other way', async () => {
    expect(
      (await get(`/Observations?${filter('result mul 1e300 mul 1e300 gt 1')}`)).statusCode,
    ).toBe(400)
    const sets = fc.constantFrom('Things', 'Datastreams', 'Observations', 'Locations')
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, sets, async (expression, set) => {
        const answer = await get(`/${set}?$top=2&${filter(printFilter(expression))}`)
        expect([200, 400], answer.body).toContain(answer.statusCode)
      }),
      { numRuns: 60 },
    )
  })
})
