import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { createCursor } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Clause, Entity, Filter, References } from '../entity.ts'
import { filter } from '../entity.ts'
import { rejected, toItems } from '../filters/values.ts'
import { tableOf } from '../table.ts'
import { distanceKey, fieldName, nearIds, noStations } from './nearest.ts'
import type { MatchingStations, StationSelection, WrittenWhere } from './nearest.ts'

/** Maximum distance, in metres. */
export const farthest = 50_000
/** Default distance, in metres. */
export const defaultDistance = 1000

/** A parsed `near`: which stations, and how far from one of them a record may be, in metres. */
type Near = StationSelection & { readonly within: number }

const parts = ['where', 'within'] as const
type PartName = (typeof parts)[number]

/** The text of a part, and the offset at which it starts, without the whitespace around it. */
type Written = { readonly text: string; readonly start: number }

/**
 * Parses `near`: near = types , { ";" , ( "where=" , condition | "within=" , metres ) }
 *
 * A semicolon between double quotes or after a backslash belongs to the condition. Parts may be in
 * any order, each at most once. A part without a value counts as missing (decision D3).
 * @throws AppError HUB-QRY-001 with the position of the fault
 */
export function parseNear(source: string): Near {
  const cursor = createCursor(source)
  const types = readTypes(readPiece(cursor))
  const given = new Map<PartName, Written>()
  while (cursor.accept(';')) {
    const [name, written] = readPart(readPiece(cursor))
    if (given.has(name)) throw repeated(name, written)
    given.set(name, written)
  }
  return {
    types,
    where: toWhere(source, given.get('where')),
    within: toMetres(given.get('within')),
  }
}

/** piece = { character but ";" | "\" , any | '"' , { character | "\" , any } , '"' } */
function readPiece(cursor: Cursor): Written {
  const start = cursor.position()
  const text = cursor.match(/(?:[^;"\\]|\\[^]?|"(?:[^"\\]|\\[^]?)*"?)*/y) ?? ''
  return trim({ text, start })
}

function trim({ text, start }: Written): Written {
  const blanks = /^\s*/.exec(text)?.[0].length ?? 0
  return { text: text.trim(), start: start + blanks }
}

/** types = "*" | name , { "," , name } */
function readTypes({ text }: Written): readonly string[] {
  const items = toItems(text.split(','))
  if (items.length === 0 || isPart(text) || text.includes('"')) {
    throw rejected({
      parameter: 'near',
      detail: 'does not begin with a station type',
      expected: ['comma-separated station types, such as ParkingStation', '*'],
      position: 0,
    })
  }
  return items.includes('*') ? [] : items
}

const isPart = (text: string) => /^(where|within)\s*=/i.test(text)

/** part = name , "=" , text */
function readPart(piece: Written): readonly [PartName, Written] {
  const [head = '', written = ''] = /^([^=]*)=/.exec(piece.text) ?? []
  const name = parts.find((known) => known === written.trim().toLowerCase())
  if (name === undefined) {
    throw rejected({
      parameter: 'near',
      detail: `has ${JSON.stringify(piece.text.slice(0, 20))} at position ${String(piece.start)}, which is not valid there`,
      expected: ['where=<condition>', 'within=<metres>'],
      position: piece.start,
      hint: 'Put a semicolon inside a condition in double quotes.',
    })
  }
  const text = piece.text.slice(head.length)
  return [name, trim({ text, start: piece.start + head.length })]
}

function repeated(name: PartName, { start }: Written) {
  return rejected({
    parameter: 'near',
    detail: `has ${name} twice, again at position ${String(start)}`,
    expected: [`${name} once`],
    position: start,
    ...(name === 'where' ? { hint: 'Conditions that hold together: where=and(…,…)' } : {}),
  })
}

function toWhere(source: string, written: Written | undefined): WrittenWhere | undefined {
  if (written === undefined || isAbsent(written)) return undefined
  const { text, start } = written
  return { source: source.slice(0, start + text.length), start }
}

function toMetres(written: Written | undefined): number {
  if (written === undefined || isAbsent(written)) return defaultDistance
  const { text, start } = written
  const metres = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (metres >= 1 && metres <= farthest) return metres
  throw rejected({
    parameter: 'near',
    detail: `has within=${text.slice(0, 20)} at position ${String(start)}`,
    expected: [`whole metres from 1 to ${String(farthest)}`],
    position: start,
  })
}

const isAbsent = ({ text }: Written) => text === '' || text === 'null'

/**
 * Maximum length of the parameter in characters. A condition of the time series service may have
 * 8,000.
 */
const longest = 10_000

const description = [
  'Records near a station whose latest value matches, nearest first: comma-separated station types, or *;',
  'then, each after a semicolon, where= with a condition of /v2 on the station, its data type and',
  `latest value (default: any value), and within= with metres up to ${String(farthest)}`,
  `(default: ${String(defaultDistance)}). Each item gets ${fieldName}: Distance in metres, Station,`,
  'DataType and Measurement of the nearest one',
].join(' ')

/** Filter for records near stations, by the latest values of the stations. */
export const nearFilter: Filter = filter({
  name: 'near',
  schema: Type.String({ maxLength: longest, description }),
  examples: {
    good: [
      'ParkingStation;where=mvalue.gt.10,tname.eq."free";within=600',
      'ParkingStation',
      '*; within=50000',
      'ParkingStation,EChargingStation;within=;where=scode.eq."a;b"',
    ],
    bad: [
      ';within=600',
      'where=mvalue.gt.1',
      'ParkingStation;',
      'ParkingStation;radius=5',
      'ParkingStation;within=0',
      'ParkingStation;within=50001',
      'ParkingStation;within=1.5',
      'ParkingStation;within=5;within=6',
      'x'.repeat(longest + 1),
    ],
  },
  read: (written, { entity }) => {
    const near = parseNear(written)
    return async (references) => toMeaning(entity, near, await loadMatching(near, references))
  },
})

/**
 * Loads the matching stations.
 * @throws AppError for an invalid condition, reported for the parameter `near` instead of `where`
 */
async function loadMatching(
  { types, where }: Near,
  { stations = noStations, ...reader }: References,
): Promise<MatchingStations> {
  try {
    return await stations({ types, where }, reader)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, hint, issues } = error
    throw new AppError(code, message.replace(/^where/, 'near'), {
      issues: issues.map((issue) =>
        issue.parameter === 'where' ? { ...issue, parameter: 'near' } : issue,
      ),
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    })
  }
}

function toMeaning(
  entity: Entity,
  { types, within }: Near,
  matching: MatchingStations,
): Omit<Clause, 'parameter'> {
  const nearby = { matching, within }
  const { canonical } = matching
  const asked = { table: tableOf(entity), where: sql`true`, within }
  return {
    text: [
      types.length === 0 ? '*' : types.join(','),
      ...(canonical === undefined ? [] : [`where=${canonical}`]),
      `within=${String(within)}`,
    ].join(';'),
    condition: sql`id in (${nearIds(nearby, asked)})`,
    nearby,
    order: [distanceKey],
  }
}
