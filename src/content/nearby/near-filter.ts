import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import { filter } from '../filters/filter.ts'
import type { Clause, Filter, References } from '../filters/filter.ts'
import { tableOf } from '../table.ts'
import { distanceKey, memberName, nearIds } from './nearest.ts'
import { farthest, parseNear, usualDistance } from './parse-near.ts'
import type { Near } from './parse-near.ts'
import { noStations } from './stations.ts'
import type { MatchingStations } from './stations.ts'

/** Characters of the whole, of which a condition of the time series service may be 8,000. */
const longest = 10_000

const description = [
  'Records near of a station whose latest value matches, nearest first: station types with commas, or *;',
  'then, each behind a semicolon, where= with a condition of /v2 over the station, its data type and',
  `latest value (absent: any value), and within= with metres up to ${String(farthest)}`,
  `(absent: ${String(usualDistance)}). Each item gets ${memberName}: Distance in metres, Station,`,
  'DataType and Measurement of the nearest one',
].join(' ')

/** Records near of stations by what was measured there last. */
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

/** @throws AppError for a condition that cannot be taken, under the name that it came by */
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
