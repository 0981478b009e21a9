import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryLines } from '../../../test/fixtures/arbitrary-lines.ts'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { entitiesOf, toNaming } from '../../content/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import { storeBody } from '../pipeline.ts'
import type { Pipeline, Stored } from '../pipeline.ts'
import { refuse } from './kind.ts'
import { canonicalKinds, canonicalPipeline, decodeJson } from './pipeline.ts'

const kinds = canonicalKinds(entitiesOf(toNaming('Hub')))
const together = canonicalPipeline(kinds)

/** Pipeline that stores each line by itself. Storing lines together must have the same outcome. */
const oneByOne: Pipeline = {
  id: 'one by one',
  read: (body) => ({
    kind: 'read',
    parts: decodeJson(body).flatMap((decoded) => {
      const { line } = decoded
      if (decoded.kind === 'broken') return [refuse([{ reason: decoded.reason }], [line])]
      const message: unknown = decoded.value
      const kind = kinds.find(({ name }) => name === Object(message).kind)
      return kind?.checkTogether([{ message: Object(message), line }]) ?? []
    }),
  }),
}

const noon = new Date('2026-11-20T12:00:00Z')
const message = '018f0000-0000-7000-8000-000000000000'

/** Everything stored that a caller can observe. Keys that the database generates are left out. */
const states: Readonly<Record<string, Sql>> = {
  tags: sql`select id, data::text from content.tag order by 1`,
  houses: sql`select id, data::text from content.accommodation order by 1`,
  sources: sql`select id, data::text from content.source order by 1`,
  deleted: sql`select entity, id, received::text from content_tombstone order by 1, 2`,
  origins: sql`select entity, id, line::text, item::text from content_origin order by 1, 2`,
  versions: sql`
    select entity, id, revision::text, data::text from content_version order by 1, 2, 3`,
  stations: sql`
    select to_jsonb(station) - array['id', 'parent_id', 'metadata_id'] || jsonb_build_object('parent', parent.code)
    from station left join station as parent on parent.id = station.parent_id
    order by station.type, station.code`,
  edges: sql`
    select station.code, a.code as origin, b.code as destination from edge
    join station on station.id = station_id
    left join station as a on a.id = from_id left join station as b on b.id = to_id order by 1`,
  types: sql`select to_jsonb(data_type) - 'id' from data_type order by name`,
  values: sql`
    select station.code, data_type.name, series.period::text, to_jsonb(measurement) - 'series_id'
    from measurement join series on series.id = series_id
    join station on station.id = series.station_id
    join data_type on data_type.id = series.data_type_id
    order by 1, 2, 3, 4`,
  latest: sql`
    select station.code, data_type.name, series.period::text, to_jsonb(latest) - 'series_id'
    from latest join series on series.id = series_id
    join station on station.id = series.station_id
    join data_type on data_type.id = series.data_type_id
    order by 1, 2, 3, 4`,
  events: sql`
    select to_jsonb(mobility_event) - 'place'
    from mobility_event order by first_recorded, mobility_event.place`,
  rooms: sql`select to_jsonb(availability_room) - 'id' from availability_room order by 1`,
  nights: sql`select (to_jsonb(availability_day) - 'room_id')::text from availability_day order by 1`,
}

async function stateOf(tx: Transaction) {
  const found: Record<string, unknown> = {}
  for (const [name, select] of Object.entries(states)) found[name] = await tx.texts(select)
  return found
}

type Trial = { readonly lines: readonly string[]; readonly mayBackdate: boolean }

/** Stores lines, returns the outcome and what is stored then, and rolls back. */
async function tryOut(database: Database, pipeline: Pipeline, trial: Trial) {
  const rollback = new Error('taken back')
  let result: { outcome: Stored | undefined; state: object } | undefined
  const from = { stream: 'a/b', received: noon, mayBackdate: trial.mayBackdate }
  const keptAs = () => Promise.resolve(message)
  try {
    await database.transaction(async (tx) => {
      const body = Buffer.from(`${trial.lines.join('\n')}\n{`)
      const outcome = await storeBody(tx, [pipeline], { ...from, body, keptAs })
      result = { outcome, state: await stateOf(tx) }
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return result
}

describeWithDatabase('Lines that are stored together', (database, engine) => {
  it('match the outcome of one-by-one storage', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLines, fc.boolean(), async (some, mayBackdate) => {
        const trial = { lines: some, mayBackdate }
        const expected = await tryOut(database(), oneByOne, trial)
        expect(await tryOut(database(), together, trial)).toEqual(expected)
      }),
      { numRuns: engine === 'embedded' ? 60 : 150 },
    )
  })

  it('need few statements, regardless of their number', async () => {
    let statements = 0
    const text = Array.from({ length: 500 }, (_, index) =>
      JSON.stringify({ kind: 'content', entity: 'Tag', items: [{ Id: `t${String(index)}` }] }),
    ).join('\n')
    await database().transaction(async (tx) => {
      const noting: Transaction = {
        kind: 'transaction',
        query: (statement) => {
          statements += 1
          return tx.query(statement)
        },
        texts: (statement) => {
          statements += 1
          return tx.texts(statement)
        },
        execute: (statement) => {
          statements += 1
          return tx.execute(statement)
        },
      }
      const from = { stream: 'a/b', received: noon, mayBackdate: true, body: Buffer.from(text) }
      expect(await storeBody(noting, [together], from)).toMatchObject({ stored: 500, rejected: [] })
    })
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThan(20)
  })
})
