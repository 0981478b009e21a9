import type { Geometry, Position } from 'geojson'
import { createHash } from 'node:crypto'
import type { EventItem } from '../timeseries/index.ts'
import {
  attributeOf,
  descend,
  localName,
  maxTextLength,
  printElement,
  readStructure,
  textAt,
  toElement,
  typeOf,
  version2,
} from '../datex/index.ts'
import type { ReadElement, Value } from '../datex/index.ts'
import { toLocation } from './location.ts'

/** A situation of another feed, as the state of an event to push. */
export type ReadSituation = {
  /** Id of the event series. */
  readonly id: string
  /** When this version was written by its first publisher (ISO 8601). */
  readonly versionTime: string
  /** Whether the supplier states when the first publisher wrote the version. */
  readonly isForwarded: boolean
  readonly phase: 'live' | 'ended' | 'cancelled'
  /** The event without `uuid`, which identifies one state of the series. */
  readonly item: Omit<EventItem, 'uuid'>
}

export type ReadPublication = {
  readonly publicationTime: Date
  /** Identifier that the publisher states for itself. */
  readonly supplier: string | undefined
  readonly situations: readonly ReadSituation[]
}

/**
 * Parses a SituationPublication of DATEX II 2. Each situation record becomes the state of an event.
 * Its series is the situation, or the record if the situation has more than one.
 * @throws Error for any other document
 */
export function readPublication(root: ReadElement): ReadPublication {
  const [payload] = descend(root, ['payloadPublication'])
  const kind = payload && typeOf(payload)
  if (localName(root.name) !== 'd2LogicalModel' || kind !== 'SituationPublication') {
    const found = [localName(root.name).slice(0, 60), kind?.slice(0, 60)].filter(Boolean).join(', ')
    throw new Error(`This is not a SituationPublication of DATEX II 2 (found ${found}).`)
  }
  const publicationTime = new Date(
    toTime(textAt(root, 'payloadPublication', 'publicationTime')) ?? '',
  )
  if (Number.isNaN(publicationTime.getTime())) {
    throw new Error('The publication has no valid publicationTime.')
  }
  const supplierOf = (...path: readonly string[]) => textAt(root, ...path, 'nationalIdentifier')
  return {
    publicationTime,
    supplier:
      supplierOf('payloadPublication', 'publicationCreator') ??
      supplierOf('exchange', 'supplierIdentification'),
    situations: descend(root, ['payloadPublication', 'situation']).flatMap((situation) =>
      readSituation(situation, publicationTime),
    ),
  }
}

function readSituation(situation: ReadElement, now: Date): readonly ReadSituation[] {
  const records = descend(situation, ['situationRecord'])
  return records.flatMap((record) => {
    const id = idOf(records.length === 1 ? situation : record)
    const fields = readStructure(record, 'SituationRecord')
    if (id === undefined || fields === undefined) return []
    const forwarded = text(fields['situationRecordFirstSupplierVersionTime'])
    const versionTime = forwarded ?? text(fields['situationRecordVersionTime'])
    const end = readEnd(record, now)
    const phase = phaseOf(record, end, now)
    const item = {
      ...toItem({ situation, record, fields }, versionTime ?? now.toISOString()),
      ...{ series: id, end: phase === 'ended' ? (end ?? now.toISOString()) : end },
      ...(phase === 'cancelled' && { cancelled: true }),
    }
    const isForwarded = forwarded !== undefined
    return [{ id, versionTime: versionTime ?? now.toISOString(), isForwarded, phase, item }]
  })
}

/**
 * Returns the id of an element. If it is longer than the id of an event may be, its digest replaces
 * it.
 */
function idOf(element: ReadElement): string | undefined {
  const id = attributeOf(element, 'id') ?? ''
  if (id === '') return undefined
  return id.length <= 128 ? id : createHash('sha256').update(id).digest('hex')
}

const maxNameLength = 255

const period = ['validity', 'validityTimeSpecification'] as const

function readEnd(record: ReadElement, now: Date): string | null {
  const end = toTime(textAt(record, ...period, 'overallEndTime'))
  const isEnded = isSet(record, 'end')
  // An end that the supplier announces has passed, whatever the period states.
  return isEnded && (end === null || new Date(end) > now) ? now.toISOString() : end
}

function isSet(record: ReadElement, flag: 'end' | 'cancel'): boolean {
  const written = textAt(record, 'management', 'lifeCycleManagement', flag)
  return version2.converterOf('Boolean')?.(written) === 'true'
}

function phaseOf(record: ReadElement, end: string | null, now: Date): ReadSituation['phase'] {
  if (isSet(record, 'cancel')) return 'cancelled'
  return end !== null && new Date(end) <= now ? 'ended' : 'live'
}

type Read = {
  readonly situation: ReadElement
  readonly record: ReadElement
  readonly fields: Value
}

function toItem({ situation, record, fields }: Read, versionTime: string) {
  const [location] = descend(record, ['groupOfLocations'])
  const geometry = location === undefined ? null : readLocation(location)
  const { situationRecordCreationReference: reference, ...others } = fields
  return {
    name: (text(reference) ?? attributeOf(record, 'id') ?? '-')
      .slice(0, maxNameLength)
      .toWellFormed(),
    severity: textAt(situation, 'overallSeverity') ?? null,
    start: toTime(textAt(record, ...period, 'overallStartTime')),
    geometry,
    ...readComments(record),
    datex: {
      ...fieldsOfSituation(situation),
      ...withoutComputed(others, geometry),
      situationRecordFirstSupplierVersionTime: versionTime,
    },
  }
}

/**
 * Returns the fields of the header and the situation, which are beside those of the record in
 * `datex`.
 */
function fieldsOfSituation(situation: ReadElement): Value {
  const [header] = descend(situation, ['headerInformation'])
  const { relatedSituation } = readStructure(situation, 'Situation') ?? {}
  return {
    ...(header && readStructure(header, 'HeaderInformation')),
    ...(relatedSituation !== undefined && { relatedSituation }),
  }
}

/** Removes what the hub computes from the state of an event, because it could contradict that. */
function withoutComputed(fields: Value, geometry: ReturnType<typeof readLocation>): Value {
  const {
    id: _id,
    version: _version,
    situationRecordCreationTime: _creation,
    situationRecordVersionTime: _versionTime,
    generalPublicComment: _comments,
    management: _management,
    validity,
    probabilityOfOccurrence: probability,
    groupOfLocations: location,
    ...others
  } = fields
  const own = toLocation(geometry, () => undefined)
  return {
    ...others,
    ...(probability === 'riskOf' && { probabilityOfOccurrence: probability }),
    ...periodsOf(validity),
    ...(!isSameLocation(location, own) && { groupOfLocations: location }),
  }
}

/**
 * Returns times of day, exceptions and suspension. Start, end and the rest of the status come from
 * the event.
 */
function periodsOf(validity: unknown): Value {
  const given = asValue(validity)
  const { validPeriod, exceptionPeriod } = asValue(given['validityTimeSpecification'])
  const periods = {
    ...(validPeriod !== undefined && { validPeriod }),
    ...(exceptionPeriod !== undefined && { exceptionPeriod }),
  }
  const { overrunning, validityStatus } = given
  const kept = {
    ...(validityStatus === 'suspended' && { validityStatus }),
    ...(overrunning !== undefined && { overrunning }),
    ...(Object.keys(periods).length > 0 && { validityTimeSpecification: periods }),
  }
  return Object.keys(kept).length === 0 ? {} : { validity: kept }
}

function isSameLocation(given: unknown, computed: unknown): boolean {
  const print = (value: unknown) => {
    const slot = { name: 'groupOfLocations', type: 'GroupOfLocations' }
    const element = toElement(slot, value, { model: version2, note: () => undefined })
    return element && printElement(element).printed
  }
  return given === undefined || print(given) === print(computed)
}

/**
 * Returns texts by language: short ones are titles. Comments without a language are the
 * description.
 */
function readComments(record: ReadElement) {
  const spoken = new Map<string, readonly string[]>()
  const places = new Set<string>()
  for (const comment of descend(record, ['generalPublicComment'])) {
    const isPlace = textAt(comment, 'commentType') === 'locationDescriptor'
    for (const value of descend(comment, ['comment', 'values', 'value'])) {
      const tag = attributeOf(value, 'lang')?.toLowerCase() ?? ''
      const language = /^[a-z]{2,3}/.exec(tag)?.[0] ?? ''
      if (value.text.trim() === '') continue
      if (isPlace) places.add(value.text)
      else spoken.set(language, [...(spoken.get(language) ?? []), value.text])
    }
  }
  const { '': description = null, ...texts } = Object.fromEntries(
    [...spoken].map(([language, pieces]) => [language, joinPieces(pieces)]),
  )
  const some = (fits: (words: string) => boolean) =>
    Object.fromEntries(Object.entries(texts).filter(([, words]) => fits(words)))
  return {
    title: some((words) => words.length <= maxTitleLength),
    text: some((words) => words.length > maxTitleLength),
    description,
    locationDescription: places.size === 0 ? null : [...places].join(' '),
  }
}

const maxTitleLength = 200

/**
 * Joins the pieces of a long text, which is cut into several comments after a space or at the
 * maximum length.
 */
function joinPieces(pieces: readonly string[]): string {
  const isCut = (piece: string) => /\s$/.test(piece) || piece.length >= maxTextLength - 1
  return pieces
    .map((piece) => (isCut(piece) ? piece : `${piece} `))
    .join('')
    .trimEnd()
}

/** A time without a zone is UTC (decision D49). */
function toTime(written: string | undefined): string | null {
  return version2.converterOf('DateTime')?.(written) ?? null
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function asValue(value: unknown): Value {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * Returns the geometry of a DATEX II location, the inverse of `toLocation`. Locations that only
 * name places of a table (Alert-C, TPEG, OpenLR) get the positions that are stated beside them.
 * @returns null if there is no position
 */
function readLocation(location: ReadElement): Geometry | null {
  const geometries = geometriesOf(location)
  const [first] = geometries
  if (first === undefined) return null
  return geometries.length === 1 ? first : { type: 'GeometryCollection', geometries }
}

function geometriesOf(location: ReadElement): Geometry[] {
  const contained = descend(location, ['locationContainedInGroup'])
  if (contained.length > 0) return contained.flatMap(geometriesOf)
  const area = readArea(location)
  if (area !== undefined) return [area]
  const path = readPath(location)
  const [first] = path
  if (first === undefined) return []
  const isLine = path.length > 1 && typeOf(location) !== 'Point'
  return [
    isLine ? { type: 'LineString', coordinates: path } : { type: 'Point', coordinates: first },
  ]
}

/**
 * Returns the positions of a line by points. Without such a line, returns those of the location,
 * and the one for display only if there is no other.
 */
function readPath(location: ReadElement): Position[] {
  const line = descend(location, ['linearWithinLinearElement', 'linearElement'])
  const between = line.flatMap((one) => inOrder(descend(one, ['intermediatePointOnLinearElement'])))
  const ends = (name: string) => line.flatMap((one) => descend(one, [name]))
  const written = [
    ...ends('startPointOfLinearElement'),
    ...between,
    ...ends('endPointOfLinearElement'),
  ].flatMap(positionsIn)
  if (written.length > 0) return written
  const others = location.children.filter(({ name }) => localName(name) !== 'locationForDisplay')
  const found = others.flatMap(positionsIn)
  return found.length > 0 ? found : positionsIn(location)
}

function readArea(location: ReadElement): Geometry | undefined {
  const polygons = descend(location, ['areaExtension', 'areaExtended', 'polygonArea'])
  const rings = polygons.flatMap((polygon) => {
    const corners = inOrder(descend(polygon, ['pointCoordinates'])).flatMap(positionsIn)
    const [first] = corners
    return first === undefined || corners.length < 3 ? [] : [[[...corners, first]]]
  })
  const [first] = rings
  if (first === undefined) return undefined
  return rings.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: rings }
}

/** Sorts the points of a line or ring by their index, because they may be in any order. */
function inOrder(elements: readonly ReadElement[]): readonly ReadElement[] {
  const indexOf = (element: ReadElement) => Number(attributeOf(element, 'index') ?? 0)
  return [...elements].sort((left, right) => indexOf(left) - indexOf(right))
}

/** Returns every position at or below an element. */
function positionsIn(element: ReadElement): Position[] {
  const [latitude, longitude] = [textAt(element, 'latitude'), textAt(element, 'longitude')]
  if (latitude === undefined || longitude === undefined) {
    return element.children.flatMap(positionsIn)
  }
  const position = [Number(longitude), Number(latitude)]
  return position.every(Number.isFinite) ? [position] : []
}
