import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  held,
  megabyte,
  turnsOfCompiler,
  turnsTooLong,
} from '../../../test/fixtures/large-answers.ts'
import { queryParquet } from '../../../test/fixtures/read-duckdb.ts'
import { inSteps } from '../../async/index.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import type { Format } from './format.ts'
import { arrow, parquet } from './tables.ts'

const entity = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Tag')

const textOf = (seed: string) =>
  [1, 2, 3, 4, 5, 6, 7]
    .map((part) =>
      createHash('sha512')
        .update(`${seed}${String(part)}`)
        .digest('base64'),
    )
    .join('')

/** Returns a record of about 1 KB that hardly compresses, so that there are several row groups. */
function recordOf(number: number) {
  const id = String(number)
  const names = { de: textOf(`de${id}`), en: number % 2 === 0 ? textOf(`en${id}`) : null }
  return { id, data: JSON.stringify({ Id: id, Active: number % 3 === 0, TagName: names }) }
}

/** Writes a number of records, a hundred at a time, as a stream does. */
async function* write(format: Format, records: number) {
  if (entity === undefined) throw new Error('There are no tags')
  const writer = await format.list({
    ...{ entity, reduced: false, bom: false, addressOf: (id: string) => `http://hub.test/${id}` },
    representation: { fields: [], selectedBy: 'hub', removeNullValues: false },
    ...{ isBare: false, total: 0, totalPages: 0, pageNumber: 1, columns: [] },
    ...{ previousPage: null, nextPage: null, seed: null, further: {} },
  })
  yield* inSteps(writer.begin())
  for (let first = 0; first < records; first += 100) {
    const batch = Array.from({ length: 100 }, (_, place) => recordOf(first + place))
    yield* inSteps(writer.records(batch))
  }
  yield* inSteps(writer.end())
}

describe('A large table', () => {
  it.each([parquet, arrow])(
    'is written as $name with little memory, and often yields to other work',
    async (format) => {
      const before = held()
      let [bytes, most, measured] = [0, 0, 0]
      for await (const piece of write(format, 60_000)) {
        bytes += piece.length
        if (bytes - measured < 8 * megabyte) continue
        measured = bytes
        most = Math.max(most, held() - before)
      }
      expect(bytes).toBeGreaterThan(30 * megabyte)
      expect(most).toBeLessThan(60 * megabyte)
      const turns = await turnsTooLong(async () => {
        for await (const piece of write(format, 10_000)) bytes += piece.length
      })
      expect(turns).toBeLessThanOrEqual(turnsOfCompiler)
    },
  )

  it('contains every record once, in few row groups', async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of write(parquet, 60_000)) pieces.push(Buffer.from(piece))
    const bytes = Buffer.concat(pieces)
    const [found] = await queryParquet(
      bytes,
      `select count(*)::int as rows, count(distinct Id)::int as ids, count_if(Active)::int as active,
         count(distinct "TagName.de")::int as names, count("TagName.en")::int as half,
         count("TagName.it")::int as none
       from file`,
    )
    const [rows, none] = [60_000, 0]
    expect(found).toEqual({ rows, ids: rows, active: rows / 3, names: rows, half: rows / 2, none })
    const one = await queryParquet(
      bytes,
      `select "TagName.de" as name from file where Id = '59999'`,
    )
    expect(one).toEqual([{ name: textOf('de59999') }])
    const counting = `select count(distinct row_group_id)::int as groups from parquet_metadata('$path')`
    const [{ groups } = {}] = await queryParquet(bytes, counting)
    expect(groups).toBeGreaterThan(1)
    expect(groups).toBeLessThan(5)
  })
})
