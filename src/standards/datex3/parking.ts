import { Type } from 'typebox'
import type { Static } from 'typebox'
import { fieldsOf, numberOf } from '../../lang/json.ts'
import { readYaml } from '../../lang/read-yaml.ts'
import { exactly } from '../../lang/schemas.ts'
import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'
import type { Built, Exit, LeftOut } from '../keep-exit.ts'
import { toFiller } from './fill.ts'
import { capacityOf, isPlaced, lackOf, noCapacity, toLocation } from './places.ts'
import type { Placed } from './places.ts'
import { byOrigin, headerInformation, publish, toExits } from './publish.ts'
import type { Building, Kind, Provided, Region } from './publish.ts'
import { toVersion, versionOf } from './shapes.ts'

const fields = Type.Record(Type.String(), Type.Unknown())

const partSchema = exactly({
  restriction: Type.String(),
  capacity: Type.Unknown(),
  occupancy: fields,
})

const table = readYaml(
  new URL('parking.yaml', import.meta.url),
  exactly({
    facility: Type.String(),
    station: Type.String(),
    space: Type.String(),
    element: fields,
    address: fields,
    parts: Type.Record(Type.String(), partSchema),
    status: fields,
    spaceStatus: fields,
  }),
)

const element = toFiller(table.element, 'prk:Place')
const address = toFiller(table.address, 'locx:Address')
const status = toFiller(table.status, 'prk:ParkingStatusInformation')
const spaceStatus = toFiller(table.spaceStatus, 'prk:SpaceStatus')
const parts = Object.entries(table.parts).map(([name, part]) => toPart(name, part))

function toPart(name: string, { restriction, capacity, occupancy }: Static<typeof partSchema>) {
  const total = toFiller({ spacesTotal: capacity }, 'prk:Characteristics')
  return {
    name,
    restriction,
    total,
    status: toFiller({ occupancy }, 'prk:ParkingStatusInformation'),
  }
}

const tableKind: Kind = {
  name: 'parking-table',
  type: 'prk:ParkingTablePublication',
  place: ['prk:ParkingTable', 'hierarchyElementGeneral'],
}

const statusKind: Kind = {
  name: 'parking-status',
  type: 'prk:ParkingStatusPublication',
  place: ['prk:ParkingStatusPublication', 'parkingStatusInformation'],
}

/** Publishes car parks and single spaces, and their occupancy, as DATEX II v3. */
export function parkingExits(region: Region): readonly Exit[] {
  const types = [table.facility, table.station, table.space]
  const fillers = [status, spaceStatus, ...parts.map((part) => part.status)]
  const dataTypes = [...new Set(fillers.flatMap((each) => each.dataTypes))]
  return toExits(region, [
    { kind: tableKind, concerned: { types, dataTypes: [] }, build: buildTable },
    { kind: statusKind, concerned: { types, dataTypes }, build: buildStatus },
  ])
}

/**
 * Something that one can park in: a station, or the spaces in it that are reserved for some users.
 */
type Element = {
  readonly station: Placed
  readonly parent: Element | undefined
  readonly part: (typeof parts)[number] | undefined
  readonly id: string
  readonly version: string
}

type Judged = {
  readonly provided: readonly Provided<Element>[]
  readonly leftOut: readonly LeftOut[]
}

/** Separates the stations that can be published from the rest. Yields between stations. */
function* judge({ stations }: CurrentStations): Generator<undefined, Judged> {
  const leftOut: LeftOut[] = []
  const known = new Map<string, Element>()
  const elements: Element[] = []
  for (const type of [table.facility, table.station, table.space]) {
    for (const station of stations.filter((each) => each.type === type)) {
      const lack = lackOf(station) ?? (isSpace(station) ? undefined : lackOfPlaces(station))
      if (lack !== undefined) leftOut.push({ type, code: station.code, ...lack })
      else if (isPlaced(station)) {
        const own = toElements(station, known)
        known.set(toKey(station), own[0])
        elements.push(...own)
      }
      yield
    }
  }
  return { provided: byOrigin(elements, ({ station }) => station.origin), leftOut }
}

function isSpace({ type }: CurrentStation): boolean {
  return type === table.space
}

function lackOfPlaces(station: CurrentStation) {
  return capacityOf(station) === undefined ? noCapacity : undefined
}

const toKey = ({ type, code }: Pick<CurrentStation, 'type' | 'code'>) =>
  JSON.stringify([type, code])

function toElements(
  station: Placed,
  known: ReadonlyMap<string, Element>,
): readonly [Element, ...Element[]] {
  const above = station.parent === null ? undefined : known.get(toKey(station.parent))
  const parent = above?.station.origin === station.origin ? above : undefined
  const version = versionOf(station)
  const own = { station, parent, part: undefined, id: idOf(station), version }
  if (isSpace(station)) return [own]
  const kept = parts.filter(({ total }) => total.fill(station)['spacesTotal'] !== undefined)
  const below = kept.map((part) => {
    return { station, parent: own, part, id: `${own.id}-${part.name}`, version }
  })
  return [own, ...below]
}

/**
 * Codes are unique only within a type, but stations of every type are elements of the same DATEX II
 * table.
 */
function idOf({ type, code }: CurrentStation): string {
  return type === table.station ? code : `${type}:${code}`
}

function layerOf({ parent }: Element): number {
  return parent === undefined ? 0 : layerOf(parent) + 1
}

const referenceTo = ({ id, version }: Element) => ({ id, version })

function* buildTable({ current, ...building }: Building): Generator<undefined, Built> {
  const { provided, leftOut } = yield* judge(current)
  return yield* publish({
    ...building,
    kind: tableKind,
    provided,
    leftOut,
    toValue,
    toFields: (hierarchyElementGeneral, of) => ({
      headerInformation,
      parkingTable: [
        {
          ...tableReference(of),
          name: { '': of.origin },
          versionTime: of.changed,
          hierarchyElementGeneral,
        },
      ],
    }),
  })
}

function tableReference({ origin, items }: Provided<Element>) {
  return { id: origin, version: toVersion(items.map(({ version }) => version)) }
}

function toValue(of: Element) {
  const { station, parent, part } = of
  const location = toLocation(station, address)
  const common = {
    ...referenceTo(of),
    locationReference: location,
    layer: layerOf(of),
    ...(parent && { parentId: referenceTo(parent) }),
  }
  if (part !== undefined) return { ...common, ...toPartValue(of, part) }
  if (isSpace(station)) {
    return { ...common, 'xsi:type': 'prk:Space', name: { '': station.name }, type: 'space' }
  }
  const filled = element.fill(station)
  if (parent === undefined) return { ...filled, ...common, 'xsi:type': 'prk:Place', type: 'place' }
  const { layout: _ofPlaces, ...others } = filled
  return { ...others, ...common, 'xsi:type': 'prk:SubplaceElement', type: 'subplaceElement' }
}

function toPartValue({ station }: Element, part: NonNullable<Element['part']>) {
  const { commonComponents } = element.fill(station)
  const { structureType } = fieldsOf(fieldsOf(commonComponents)['characteristics'])
  return {
    'xsi:type': 'prk:SubplaceElement',
    type: 'subplaceElement',
    name: { '': `${station.name} (${part.name})` },
    subplaceType: 'logicalStructure',
    commonComponents: {
      characteristics: { ...part.total.fill(station), structureType },
      operatingPattern: {
        'xsi:type': 'prk:OperatingRestriction',
        operatingPatternIndex: 1,
        type: part.restriction,
      },
    },
  }
}

function* buildStatus({ current, ...building }: Building): Generator<undefined, Built> {
  const { provided, leftOut } = yield* judge(current)
  return yield* publish({
    ...building,
    kind: statusKind,
    provided,
    leftOut,
    toValue: toStatus,
    toFields: (parkingStatusInformation, of) => ({
      parkingTableReference: [tableReference(of)],
      headerInformation,
      parkingStatusInformation,
    }),
  })
}

function toStatus(of: Element) {
  const { station, parent, part } = of
  const reference = referenceTo(of)
  if (part !== undefined) return { reference, ...part.status.fill(station) }
  if (isSpace(station)) {
    const filled = spaceStatus.fill(station)
    // The schema requires `occupied` in this type.
    return filled['occupied'] === undefined
      ? { reference }
      : { 'xsi:type': 'prk:SpaceStatus', reference, ...filled }
  }
  const filled = status.fill(station)
  const occupancy = complete(fieldsOf(filled['occupancy']), station)
  const stated = { reference, ...filled, ...(occupancy && { occupancy }) }
  if (parent !== undefined) return stated
  return { 'xsi:type': 'prk:PlaceStatus', ...stated, status: toPlaceStatus(occupancy) }
}

type Occupancy = {
  readonly numberOfVacantSpaces: number
  readonly numberOfOccupiedSpaces: number
  /** In percent of all spaces, with one decimal. */
  readonly occupancy: number
}

/**
 * Completes the occupancy by means of the capacity; undefined if neither the vacant nor the
 * occupied spaces are known.
 */
function complete(
  given: Readonly<Record<string, unknown>>,
  station: CurrentStation,
): Occupancy | undefined {
  const capacity = capacityOf(station) ?? 0
  const vacant = numberOf(given['numberOfVacantSpaces'])
  const occupied = numberOf(given['numberOfOccupiedSpaces'])
  const rest = (known: number | undefined) =>
    known === undefined ? undefined : Math.max(0, capacity - known)
  const numberOfVacantSpaces = vacant ?? rest(occupied)
  const numberOfOccupiedSpaces = occupied ?? rest(vacant)
  if (numberOfVacantSpaces === undefined || numberOfOccupiedSpaces === undefined) return undefined
  const occupancy = Math.round((numberOfOccupiedSpaces / capacity) * 1000) / 10
  return { numberOfVacantSpaces, numberOfOccupiedSpaces, occupancy }
}

function toPlaceStatus(occupancy: Occupancy | undefined): string {
  if (occupancy === undefined) return 'unknown'
  return occupancy.numberOfVacantSpaces === 0 ? 'full' : 'spacesAvailable'
}
