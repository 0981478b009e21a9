import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { recordTypes, version2 } from '../../src/datex/index.ts'
import { everything } from '../contract/datex/schema-facts.ts'
import { all, text, texts } from '../contract/datex/xml-tree.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { publicUrl } from '../fixtures/test-app.ts'
import { feedAddress, useTrafficHub } from '../fixtures/traffic-hub.ts'

const hour = 3_600_000
const here = { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] }
const types = Object.keys(recordTypes)
const flatEvents = Type.Object({ data: Type.Array(Type.Object({ evuuid: Type.String() })) })
describeWithDatabase('The traffic feed', (database) => {
  const hub = useTrafficHub(database)

  const { pushEvents: push, readFeed: read, situations } = hub
  const situation = async (provider: string, id: string) => {
    const found = (await situations(provider)).get(id)
    if (found === undefined) throw new Error(`There is no situation ${id}.`)
    return found
  }

  it('lists no providers before the first event, then each one with its URL (D54)', async () => {
    const discover = async () => (await hub.ask({ url: '/traffic/datex/2/' })).json<unknown>()
    expect(await discover()).toEqual({})
    expect((await hub.ask({ url: feedAddress('north') })).statusCode).toBe(404)
    await push('NORTH_BZ', [{ uuid: 'n', geometry: here }])
    await push('A22', [{ uuid: 'a', geometry: here }])
    await push('SECRET', [{ uuid: 's', geometry: here }], 'closed')
    expect(await discover()).toEqual({
      a22: { 'situation-publication': `${publicUrl}${feedAddress('a22')}` },
      'north-bz': { 'situation-publication': `${publicUrl}${feedAddress('north-bz')}` },
    })
    // The public system filters by source; here each source is a separate provider.
    expect([...(await situations('a22')).keys()]).toEqual(['a'])
    expect((await hub.ask({ url: feedAddress('secret') })).statusCode).toBe(404)
    expect((await hub.ask({ method: 'POST', url: feedAddress('a22') })).statusCode).toBe(405)
  })

  it('publishes all 30 record types that events specify, with every field of each', async () => {
    const item = (type: string) => {
      const { id: _id, version: _version, ...members } = everything(type)
      return { uuid: type, geometry: here, datex: { type, ...members } }
    }
    await push('TYPES', types.map(item))
    const found = await situations('types')
    expect([...found.keys()]).toEqual([...types].sort())
    for (const [id, tree] of found) {
      const [record] = all(tree, 'situationRecord')
      expect(record?.attributes['xsi:type']).toBe(id)
      const written = new Set(record?.children.map(({ name }) => name))
      const absent = version2.types.get(id)?.members.filter(({ name }) => !written.has(name))
      // The hub derives management from the end and cancellation of an event.
      expect(absent?.map(({ name }) => name)).toEqual(['management'])
    }
  })

  it('publishes details of tags that the metadata specify', async () => {
    const tagged = (uuid: string, tag: string, metadata: object) => ({
      ...{ uuid, geometry: here, metadata },
      tags: [`traffic-event:${tag}`],
    })
    await push('FINE', [
      tagged('speed', 'speed-limit', { speedLimit: 60 }),
      tagged('lane', 'closure', { closure: 'lane' }),
      tagged('carriageway', 'carriageway-closure', {}),
      tagged('snow', 'weather-related', { weather: 'heavy snow' }),
      tagged('chains', 'road-condition', { winterEquipment: 'snow chains' }),
      tagged('weight', 'weight-limit', { maxWeight: 7.5 }),
      tagged('height', 'restriction', { nested: { maxHeight: '3,8 m' } }),
      tagged('diversion', 'diversion', { diversion: 'local' }),
    ])
    const found = await situations('fine')
    const said = (id: string, path: string) => {
      const tree = found.get(id)
      return tree === undefined ? undefined : text(tree, `situationRecord/${path}`)
    }
    const lanes = 'roadOrCarriagewayOrLaneManagementType'
    const vehicles = 'forVehiclesWithCharacteristicsOf'
    expect(said('speed', 'temporarySpeedLimit')).toBe('60')
    expect(said('lane', lanes)).toBe('laneClosures')
    expect(said('carriageway', lanes)).toBe('carriagewayClosures')
    expect(said('snow', 'poorEnvironmentType')).toBe('heavySnowfall')
    expect(said('chains', 'winterEquipmentManagementType')).toBe('useSnowChains')
    expect(said('weight', `${vehicles}/grossWeightCharacteristic/grossVehicleWeight`)).toBe('7.5')
    expect(said('height', `${vehicles}/heightCharacteristic/vehicleHeight`)).toBe('3.8')
    expect(said('diversion', 'reroutingManagementType')).toBe('followLocalDiversion')
  })

  it('publishes points, lines and areas', async () => {
    const ring = [[11, 46], [12, 46], [12, 47], [11, 46]] // oxfmt-ignore
    const line = ring.slice(0, 3)
    await push('PLACES', [
      { uuid: 'point', geometry: here },
      { uuid: 'line', geometry: { type: 'LineString', coordinates: line } },
      { uuid: 'area', geometry: { type: 'Polygon', coordinates: [ring] } },
      { uuid: 'nowhere' },
    ])
    const found = await situations('places')
    const written = [...found].map(([id, tree]) => {
      const [place] = all(tree, 'situationRecord/groupOfLocations')
      const among = (path: string) =>
        place === undefined
          ? []
          : all(place, path).map((at) => [text(at, 'longitude'), text(at, 'latitude')].map(Number))
      return [id, place?.attributes['xsi:type'], among('**/pointCoordinates')]
    })
    const polygon = found.get('area')
    const corners = polygon === undefined ? [] : texts(polygon, '**/polygonArea/**/longitude')
    expect(written[1]).toEqual(['line', 'Linear', line])
    expect(written[2]).toEqual(['point', 'Point', [here.coordinates]])
    expect(written[0]?.slice(0, 2)).toEqual(['area', 'Area'])
    expect(corners).toEqual(['11', '12', '12'])
  })

  it('keeps cause, source, urgency, impact, relations and recurrence unchanged', async () => {
    const everyWeekday = {
      recurringDayWeekMonthPeriod: { applicableDay: ['monday', 'tuesday'] },
      recurringTimePeriodOfDay: {
        type: 'TimePeriodByHour',
        startTimeOfPeriod: '08:00:00',
        endTimeOfPeriod: '17:00:00',
      },
    }
    await push('DETAILS', [
      { uuid: 'cause', geometry: here },
      {
        ...{ uuid: 'effect', geometry: here, severity: 'highest', name: 'R1' },
        ...{ start: '2026-01-01T00:00:00Z', end: '2999-01-01T00:00:00Z' },
        ...{ title: { de: 'Stau', it: 'Coda', lld: 'Coda' } },
        text: { en: 'x'.repeat(3000) },
        datex: {
          type: 'AbnormalTraffic',
          urgency: 'extremelyUrgent',
          relatedSituation: [{ id: 'cause', version: 1 }],
          cause: { type: 'ManagedCause', managedCause: { id: 'cause', version: 1 } },
          source: { sourceType: 'trafficMonitoringStation' },
          impact: { delays: { delayTimeValue: 900 }, numberOfLanesRestricted: 1 },
          validity: { validityTimeSpecification: { validPeriod: [everyWeekday] } },
        },
      },
    ])
    const tree = await situation('details', 'effect')
    const said = (path: string) => text(tree, path)
    const reference = { id: 'cause', version: '1', targetClass: 'Situation' }
    expect(all(tree, 'relatedSituation')[0]?.attributes).toEqual(reference)
    expect(said('headerInformation/urgency')).toBe('extremelyUrgent')
    expect(said('overallSeverity')).toBe('highest')
    const record = 'situationRecord'
    expect(all(tree, `${record}/cause/managedCause`)[0]?.attributes['id']).toBe('cause')
    expect(said(`${record}/situationRecordCreationReference`)).toBe('R1')
    expect(said(`${record}/source/sourceType`)).toBe('trafficMonitoringStation')
    expect(said(`${record}/source/sourceIdentification`)).toBe('DETAILS')
    expect(said(`${record}/impact/delays/delayTimeValue`)).toBe('900')
    const time = `${record}/validity/validityTimeSpecification`
    expect(said(`${time}/overallStartTime`)).toBe('2026-01-01T00:00:00.000Z')
    expect(texts(tree, `${time}/validPeriod/**/applicableDay`)).toEqual(['monday', 'tuesday'])
    expect(said(`${time}/validPeriod/**/startTimeOfPeriod`)).toBe('08:00:00')
    const values = all(tree, `${record}/generalPublicComment/comment/values/value`)
    const languages = new Set(values.map(({ attributes }) => attributes['lang']))
    expect([...languages].sort()).toEqual(['de', 'en', 'it', 'lld'])
    const english = values.filter(({ attributes }) => attributes['lang'] === 'en')
    expect(english.map((value) => value.text).join('')).toBe('x'.repeat(3000))
  })

  it('tracks an event from its planning to its end, and counts its versions', async () => {
    const from = new Date().getTime() + hour
    const state = {
      ...{ series: 'planned', geometry: here },
      start: new Date(from).toISOString(),
      end: new Date(from + hour).toISOString(),
    }
    await push('TIMES', [{ ...state, uuid: 'p1' }])
    await push('TIMES', [{ ...state, uuid: 'p2', title: { it: 'Prima' } }])
    const seen: (string | undefined)[][] = []
    for (const hours of [0, 1.5, 2.5]) {
      hub.setAhead(hours * hour)
      const tree = await situation('times', 'planned')
      const said = (path: string) => text(tree, `situationRecord/${path}`)
      const end = said('management/lifeCycleManagement/end')
      const status = said('validity/validityStatus')
      seen.push([tree.attributes['version'], said('probabilityOfOccurrence'), status, end])
    }
    expect(seen).toEqual([
      ['2', 'probable', 'definedByValidityTimeSpec', undefined],
      ['2', 'certain', 'active', undefined],
      ['2', 'certain', 'definedByValidityTimeSpec', 'true'],
    ])
    hub.setAhead(3.5 * hour)
    expect((await situations('times')).size).toBe(0)
    hub.setAhead(0)
    await push('TIMES', [{ ...state, uuid: 'p3', cancelled: true }])
    const cancelled = await situation('times', 'planned')
    expect(texts(cancelled, '**/lifeCycleManagement/cancel')).toEqual(['true'])
  })

  it('publishes the same events as GeoJSON, as time series and as announcements', async () => {
    const geojson = await read('places', { accept: 'application/geo+json' })
    const features = geojson.json<{ features: { id: string; geometry: { type: string } }[] }>()
    const kinds = features.features.map(({ id, geometry }) => [id, geometry.type])
    expect(kinds).toEqual([['area', 'Polygon'], ['line', 'LineString'], ['point', 'Point']]) // oxfmt-ignore
    const rows = Parse(flatEvents, await hub.get('/v2/flat,event/PLACES'))
    const ids = rows.data.map(({ evuuid }) => evuuid).sort()
    expect(ids).toEqual(['area', 'line', 'nowhere', 'point'])
    const url = '/v1/Announcement?source=places&getasidarray=true'
    const announced = (await hub.ask({ url })).json<string[]>()
    expect([...announced].sort()).toEqual(ids)
  })
})
