import { Type } from 'typebox'
import { exactly } from '../../lang/schemas.ts'
import { objectsOf } from '../../lang/json.ts'
import { readYaml } from '../../lang/read-yaml.ts'
import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'
import type { Built, Exit, LeftOut } from '../keep-exit.ts'
import { toFiller } from './fill.ts'
import { capacityOf, isPlaced, lackOf, toPoint } from './places.ts'
import type { Placed } from './places.ts'
import { byOrigin, headerInformation, publish, toExits } from './publish.ts'
import type { Building, Kind, Provided, Region } from './publish.ts'
import { toVersion, versionOf } from './shapes.ts'

const fields = Type.Record(Type.String(), Type.Unknown())

const table = readYaml(
  new URL('energy.yaml', import.meta.url),
  exactly({
    station: Type.String(),
    plug: Type.String(),
    site: fields,
    address: fields,
    energyStation: fields,
    refillPoint: fields,
    connector: fields,
    stationStatus: fields,
    refillPointStatus: fields,
  }),
)

const site = toFiller(table.site, 'aegi:EnergyInfrastructureSite')
const address = toFiller(table.address, 'locx:Address')
const energyStation = toFiller(table.energyStation, 'aegi:EnergyInfrastructureStation')
const refillPoint = toFiller(table.refillPoint, 'aegi:ElectricChargingPoint')
const connector = toFiller(table.connector, 'aegi:Connector')
const stationStatus = toFiller(table.stationStatus, 'aegi:EnergyInfrastructureStationStatus')
const refillPointStatus = toFiller(table.refillPointStatus, 'aegi:ElectricChargingPointStatus')

const tableKind: Kind = {
  name: 'energy-infrastructure-table',
  type: 'aegi:EnergyInfrastructureTablePublication',
  place: ['aegi:EnergyInfrastructureTable', 'energyInfrastructureSite'],
}

const statusKind: Kind = {
  name: 'energy-infrastructure-status',
  type: 'aegi:EnergyInfrastructureStatusPublication',
  place: ['aegi:EnergyInfrastructureStatusPublication', 'energyInfrastructureSiteStatus'],
}

const profile = { profileName: 'AFIR Energy Infrastructure', profileVersion: '01-00-00' }

/** Publishes charging stations with their plugs, and their status, as DATEX II v3 under AFIR. */
export function energyExits(region: Region): readonly Exit[] {
  const types = [table.station, table.plug]
  const dataTypes = [...new Set([...stationStatus.dataTypes, ...refillPointStatus.dataTypes])]
  return toExits(region, [
    { kind: tableKind, concerned: { types, dataTypes: [] }, build: buildTable },
    { kind: statusKind, concerned: { types, dataTypes }, build: buildStatus },
  ])
}

/** A station with its active plugs, and the version of their description. */
type Site = {
  readonly station: Placed
  readonly plugs: readonly CurrentStation[]
  readonly version: string
}

type Judged = { readonly provided: readonly Provided<Site>[]; readonly leftOut: readonly LeftOut[] }

/** Separates the stations that can be published from the rest. Yields between stations. */
function* judge({ stations }: CurrentStations): Generator<undefined, Judged> {
  const plugs = Map.groupBy(
    stations.filter(({ type, active }) => type === table.plug && active),
    ({ parent }) => (parent?.type === table.station ? parent.code : ''),
  )
  const leftOut: LeftOut[] = []
  const sites: Site[] = []
  for (const station of stations.filter(({ type }) => type === table.station)) {
    const own = plugs.get(station.code) ?? []
    const lack = lackOf(station) ?? (own.length === 0 ? lackOfPlaces(station) : undefined)
    if (lack !== undefined) leftOut.push({ type: station.type, code: station.code, ...lack })
    else if (isPlaced(station))
      sites.push({ station, plugs: own, version: versionOf(station, ...own) })
    yield
  }
  leftOut.push(...lonePlugs(stations, sites))
  return { provided: byOrigin(sites, ({ station }) => station.origin), leftOut }
}

/** Returns what a station without known plugs is missing: it needs at least a capacity. */
function lackOfPlaces(station: CurrentStation) {
  if (capacityOf(station) !== undefined) return undefined
  return { lacks: 'capacity', reason: 'It has neither plugs nor a capacity.' }
}

function lonePlugs(
  stations: readonly CurrentStation[],
  sites: readonly Site[],
): readonly LeftOut[] {
  const published = new Set(sites.flatMap(({ plugs }) => plugs))
  return stations
    .filter((each) => each.type === table.plug && !published.has(each))
    .map(({ type, code, active }) =>
      active
        ? {
            type,
            code,
            lacks: 'station',
            reason: 'The station that it belongs to is not published.',
          }
        : { type, code, lacks: 'active', reason: 'Its provider does not deliver it any more.' },
    )
}

const siteIdOf = (station: CurrentStation) => `${station.code}-site`

function* buildTable({ current, ...building }: Building): Generator<undefined, Built> {
  const { provided, leftOut } = yield* judge(current)
  const weak: LeftOut[] = []
  for (const item of provided.flatMap(({ items }) => items)) {
    weak.push(...weakOutlets(item))
    yield
  }
  return yield* publish({
    ...building,
    kind: tableKind,
    provided,
    leftOut: [...leftOut, ...weak],
    toValue: toSite,
    toFields: (energyInfrastructureSite, of) => ({
      ...profile,
      headerInformation,
      energyInfrastructureTable: [
        { ...tableReference(of), tableName: of.origin, energyInfrastructureSite },
      ],
    }),
  })
}

function tableReference({ origin, items }: Provided<Site>) {
  return { id: origin, version: toVersion(items.map(({ version }) => version)) }
}

function toSite({ station, plugs, version }: Site) {
  const facilityLocation = { address: address.fill(station) }
  const locationReference = {
    ...toPoint(station),
    ...(Object.keys(facilityLocation.address).length > 0 && {
      _locationExtension: { afirFacilityLocation: facilityLocation },
    }),
  }
  const points = plugs.map((plug) => toPointValue(plug, station))
  return {
    id: siteIdOf(station),
    version,
    ...site.fill(station),
    locationReference,
    energyInfrastructureStation: [
      {
        id: station.code,
        version,
        ...energyStation.fill(station),
        locationReference,
        numberOfRefillPoints: points.length > 0 ? points.length : capacityOf(station),
        refillPoint: points,
      },
    ],
  }
}

function outletsOf({ metadata }: CurrentStation): readonly Readonly<Record<string, unknown>>[] {
  const { outlets, connectors } = metadata
  const known = objectsOf(outlets)
  return known.length > 0 ? known : objectsOf(connectors)
}

/** Returns a plug with the fields of an outlet, which take precedence over its own. */
function withFields(plug: CurrentStation, outlet: object): CurrentStation {
  return { ...plug, metadata: { ...plug.metadata, ...outlet } }
}

function toPointValue(plug: CurrentStation, station: CurrentStation) {
  const outlets = outletsOf(plug)
  const [first = {}] = outlets
  const described = { ...plug, metadata: { ...station.metadata, ...plug.metadata, ...first } }
  return {
    'xsi:type': 'aegi:ElectricChargingPoint',
    id: plug.code,
    version: versionOf(plug),
    ...refillPoint.fill(described),
    ...(isPlaced(plug) && { locationReference: toPoint(plug) }),
    ...(outlets.length > 0 && { numberOfConnectors: outlets.length }),
    connector: outlets.map((outlet) => connector.fill(withFields(plug, outlet))).filter(hasPower),
  }
}

/** Reports whether a connector has its power, which the schema requires. */
function hasPower(filled: Readonly<Record<string, unknown>>): boolean {
  return filled['maxPowerAtSocket'] !== undefined
}

/** Reports outlets without a known power, which the schema requires. */
function weakOutlets({ plugs }: Site): readonly LeftOut[] {
  return plugs.flatMap((plug) => {
    const { type, code } = plug
    const weak = outletsOf(plug).filter(
      (outlet) => !hasPower(connector.fill(withFields(plug, outlet))),
    )
    if (weak.length === 0) return []
    const reason = `${String(weak.length)} of its outlets state no power; they are left out.`
    return [{ type, code, lacks: 'power', reason }]
  })
}

function* buildStatus({ current, ...building }: Building): Generator<undefined, Built> {
  const { provided, leftOut } = yield* judge(current)
  return yield* publish({
    ...building,
    kind: statusKind,
    provided,
    leftOut,
    toValue: toSiteStatus,
    toFields: (energyInfrastructureSiteStatus, of) => ({
      ...profile,
      tableReference: [tableReference(of)],
      headerInformation,
      energyInfrastructureSiteStatus,
    }),
  })
}

function toSiteStatus({ station, plugs, version }: Site) {
  return {
    reference: { id: siteIdOf(station), version },
    energyInfrastructureStationStatus: [
      {
        reference: { id: station.code, version },
        ...stationStatus.fill(station),
        refillPointStatus: plugs.map((plug) => ({
          'xsi:type': 'aegi:ElectricChargingPointStatus',
          reference: { id: plug.code, version: versionOf(plug) },
          ...refillPointStatus.fill(plug),
        })),
      },
    ],
  }
}
