import { AppError } from '../../errors/index.ts'
import { edgeLevel } from '../catalogue/edge-level.ts'
import { eventLevel, eventsAt, eventsBetween, latestEventLevel } from '../catalogue/event-levels.ts'
import type { Level } from '../catalogue/level.ts'
import {
  dataTypeLevel,
  historyLevel,
  latestLevel,
  metadataLevel,
  stationLevel,
} from '../catalogue/node-levels.ts'
import { parseTime } from '../time/parse-time.ts'
import { parseNames } from './names.ts'
import type { Names } from './names.ts'
import { nameOf, parseRepresentation } from './representation.ts'
import type { Representation } from './representation.ts'

/** What the path of a read says. */
export type Place = {
  readonly representation: Representation
  readonly level: Level
  readonly types: Names
  readonly dataTypes?: Names
}

/**
 * Finds what a path shows (reference 1.2): how many segments there are and what they mean depends on
 * the type of the representation.
 * @param segments of the path after `/v2`; the first two are always there
 * @throws AppError HUB-QRY-001 for an unknown representation and bad times, HUB-RTE-001 for a depth
 *   that the representation does not have
 */
export function findLevel([first = '', second = '', ...rest]: readonly string[]): Place {
  const representation = parseRepresentation(first)
  const place = { representation, types: parseNames(second) }
  switch (representation.type) {
    case 'node':
      return { ...place, ...findNodeLevel(representation, rest) }
    case 'edge':
      if (rest.length > 0) throw noSuchDepth(representation)
      return { ...place, level: edgeLevel }
    case 'event':
      return { ...place, level: findEventLevel(representation, rest) }
  }
}

function findNodeLevel(
  representation: Representation,
  [dataTypes, from, to]: readonly string[],
): Pick<Place, 'level' | 'dataTypes'> {
  if (dataTypes === undefined) return { level: stationLevel }
  const names = parseNames(dataTypes)
  if (from === undefined) return { level: dataTypeLevel, dataTypes: names }
  if (to !== undefined) {
    const range = readRange({ from, to })
    if (isWord(dataTypes, 'metadata')) return { level: metadataLevel(range) }
    return { level: historyLevel(range), dataTypes: names }
  }
  if (isWord(from, 'latest')) return { level: latestLevel, dataTypes: names }
  throw noSuchDepth(representation)
}

function findEventLevel(
  representation: Representation,
  [from, to, ...more]: readonly string[],
): Level {
  if (more.length > 0) throw noSuchDepth(representation)
  if (from === undefined) return eventLevel
  if (to !== undefined) return eventsBetween(readRange({ from, to }))
  return isWord(from, 'latest') ? latestEventLevel : eventsAt(readPathTime('time', from))
}

function isWord(segment: string, word: string): boolean {
  return segment.toLowerCase() === word
}

const shapes: Readonly<Record<Representation['type'], string>> = {
  node: '{stationTypes}, {stationTypes}/{dataTypes}, the same with /latest, or with /{from}/{to}; {stationTypes}/metadata/{from}/{to}',
  edge: '{edgeTypes}',
  event: '{origins}, the same with /latest, with /{time}, or with /{from}/{to}',
}

function noSuchDepth(representation: Representation): AppError {
  const name = nameOf(representation)
  return new AppError('HUB-RTE-001', `The representation ${name} has no such path.`, {
    hint: `After /v2/${name}/ comes ${shapes[representation.type]}.`,
  })
}

/**
 * A time that stands in a path.
 * @throws AppError HUB-QRY-001
 */
function readPathTime(name: string, written: string): string {
  const time = parseTime(written)
  if (time !== undefined) return time
  throw new AppError('HUB-QRY-001', `${JSON.stringify(written)} is no time.`, {
    hint: 'Write 2026-11-20 or 2026-11-20T10:15:00, if need be with a zone such as Z or +01:00.',
    issues: [
      {
        parameter: name,
        detail: 'is no time, or a day that does not exist',
        expected: ['yyyy-MM-dd', 'yyyy-MM-ddTHH:mm:ss', 'yyyy-MM-ddTHH:mm:ss.SSS+ZZZZ'],
      },
    ],
  })
}

/**
 * The range between two times of a path.
 * @throws AppError HUB-QRY-001 for no times, or a range that ends before it starts (decision D49)
 */
export function readRange(written: { readonly from: string; readonly to: string }) {
  const range = { from: readPathTime('from', written.from), to: readPathTime('to', written.to) }
  if (range.from <= range.to) return range
  throw new AppError(
    'HUB-QRY-001',
    `The range ends (${range.to}) before it starts (${range.from}).`,
    {
      hint: 'The earlier time comes first; it is included, the later one is not.',
      issues: [{ parameter: 'from', detail: 'is after to' }],
    },
  )
}
