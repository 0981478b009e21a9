import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { matches } from '../../../test/fixtures/evaluate-where.ts'
import type { Row } from '../../../test/fixtures/evaluate-where.ts'
import { expressions } from '../../../test/fixtures/random-where.ts'
import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { latestLevel, stationLevel } from '../catalogue/levels.ts'
import { parent } from '../catalogue/groups.ts'
import { storeDataTypes, storeMeasurements } from '../write/store-measurements.ts'
import { storeStations } from '../write/store-stations.ts'
import type { Expression } from './lexer.ts'
import { compileWhere } from './compile.ts'
import { parseWhere, printWhere } from './grammar.ts'
import { resolveWhere } from './resolve.ts'

const received = new Date('2026-11-20T12:00:00Z')

type Fact = Row & { readonly scode: string; readonly mvalue: string | number | object }

const minutes = (count: number) => `2024-06-01T00:${String(count).padStart(2, '0')}:00.000Z`

/** Stations with one value each, with the field names of the interface. */
const facts: readonly Fact[] = [
  { scode: 'a', sname: 'Ab', sorigin: 'a', sactive: true, smetadata: { a: 5 }, mvalue: 5 },
  { scode: 'b', sname: 'p,3 (x)', sorigin: 'B', sactive: false, smetadata: { a: '5' }, mvalue: -3 },
  { scode: 'B', sname: '5', sorigin: null, sactive: true, smetadata: null, mvalue: '5' },
  {
    scode: '5',
    sname: 'ÉTÉ',
    sorigin: 'true',
    sactive: true,
    smetadata: { a: null },
    mvalue: 'Ab',
  },
  {
    scode: 'p',
    sname: 'été',
    sorigin: 'a',
    sactive: true,
    smetadata: { b: { c: true } },
    mvalue: '',
  },
  {
    scode: 'q',
    sname: 'a',
    sorigin: 'it\'s "so" \\',
    sactive: true,
    smetadata: { b: [] },
    mvalue: 1.5,
  },
  {
    scode: 'r',
    sname: 'b',
    sorigin: 'a',
    sactive: true,
    smetadata: { list: [1, 'a'] },
    mvalue: { a: 1.5 },
  },
  {
    scode: 's',
    sname: 'c',
    sorigin: 'b',
    sactive: true,
    smetadata: { a: [1, 2] },
    mvalue: { b: { c: 'a' } },
  },
  {
    scode: 't',
    sname: 'd',
    sorigin: 'b',
    sactive: true,
    smetadata: { a: true },
    mvalue: { list: [true] },
  },
].map((fact, index) => ({
  ...fact,
  ...(index % 2 === 0 ? { pcode: 'up' } : {}),
  tunit: 'a',
  mperiod: 300,
  mvalidtime: minutes(index),
}))

async function fill(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await storeStations(tx, { stationType: 'Up', received, items: [{ code: 'up' }] })
    for (const fact of facts) await storeFact(tx, fact)
  })
}

type Transaction = Parameters<typeof storeStations>[0]

async function storeFact(tx: Transaction, fact: Fact): Promise<void> {
  const { scode, mvalue } = fact
  const upper = 'pcode' in fact ? { parent: { type: 'Up', code: 'up' } } : {}
  const metadata = isObject(fact['smetadata']) ? { ...fact['smetadata'] } : null
  const station = {
    code: scode,
    name: String(fact['sname']),
    active: fact['sactive'] === true,
    metadata,
    ...upper,
  }
  const origin = typeof fact['sorigin'] === 'string' ? fact['sorigin'] : null
  await storeStations(tx, { stationType: 'S', origin, received, items: [station] })
  await storeDataTypes(tx, { received, items: [{ name: 'x', unit: 'a' }] })
  const value = isObject(mvalue) ? { ...mvalue } : mvalue
  const items = [[scode, 'x', String(fact['mvalidtime']), value] as const]
  await storeMeasurements(tx, {
    stationType: 'S',
    period: 300,
    received,
    items: items.map((item) => [...item]),
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const compile = (text: string): Sql =>
  compileWhere(resolveWhere(parseWhere(text, 'required'), latestLevel).condition)

/** Returns the stations that match each expression. Runs one statement for all expressions. */
async function matching(
  database: Database,
  texts: readonly string[],
): Promise<readonly string[][]> {
  const tests = texts.map((text) => sql`coalesce(${compile(text)}, false)`)
  const rows = await database.texts(sql`
    select s.code, ${join(tests, ', ')} from ${latestLevel.from(sql`true`)} ${parent.join}
    where s.type = 'S' order by s.code`)
  return texts.map((_, index) =>
    rows.filter((row) => row[index + 1] === 't').map(([code]) => code ?? ''),
  )
}

/** Removes the positions and the original spelling from an expression. */
function bare(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) =>
      key === 'span' || key === 'written' ? undefined : value,
    ),
  )
}

describe('A printed where', () => {
  it('parses to the same expression', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(bare(parseWhere(printWhere(expression), 'required'))).toEqual(bare(expression))
      }),
      { numRuns: 2000 },
    )
  })

  it('never puts a value into the text of a statement', () => {
    fc.assert(
      fc.property(expressions, fc.stringMatching(/^[a-z]{12}$/), (expression, word) => {
        const text = `and(scode.eq."${word}",smetadata.${word}.in.("${word}",5),${printWhere(expression)})`
        expect(compile(text).text).not.toContain(word)
      }),
    )
  })
})

describeWithDatabase('where', (database) => {
  beforeAll(() => fill(database()))

  it('matches a reference implementation on 2,000 random expressions', async () => {
    const drawn = fc.sample(expressions, { numRuns: 2000, seed: 7 })
    let telling = 0
    for (let start = 0; start < drawn.length; start += 50) {
      const batch = drawn.slice(start, start + 50)
      const found = await matching(database(), batch.map(printWhere))
      batch.forEach((expression, index) => {
        const expected = facts.filter((fact) => matches(expression, fact)).map(({ scode }) => scode)
        if (expected.length > 0 && expected.length < facts.length) telling += 1
        expect({ where: printWhere(expression), found: found[index] }).toEqual({
          where: printWhere(expression),
          found: expected.sort(),
        })
      })
    }
    expect(telling).toBeGreaterThan(500)
  })

  it('never fails in the database, even for impossible coordinates', async () => {
    const odd = ['0', '-1', '91', '181', '1e300', '-1e300', '0.5', '3857', '999999']
    const texts = odd.flatMap((first) =>
      odd.map(
        (second) =>
          `scoordinate.bbi.(${first},${second},1,1),scoordinate.dlt.(${first},${second},1)`,
      ),
    )
    const systems = ['4326', '3857', '25832', '1', '999999'].map(
      (srid) => `or(scoordinate.bbc.(1e9,1,2,3,${srid}),scoordinate.dlt.(1e300,11,46,${srid}))`,
    )
    for (const text of [...texts, ...systems]) {
      const condition = compileWhere(
        resolveWhere(parseWhere(text, 'required'), stationLevel).condition,
      )
      await database().query(sql`select s.id from station as s where ${condition}`)
    }
  })

  it('matches pathological patterns within a second', async () => {
    const hard = ['(a|a)*$', '(a*)*b', '(?:(?:a{1,4}){1,4}){1,4}b', 'a.*a.*a.*a.*b']
    const long = 'a'.repeat(20_000)
    await database().transaction((tx) =>
      storeStations(tx, { stationType: 'L', received, items: [{ code: 'l', name: long }] }),
    )
    for (const pattern of hard) {
      const started = performance.now()
      await matching(database(), [`sname.re."${pattern}"`])
      const condition = compile(`sname.ire."${pattern}"`)
      await database().query(sql`select s.id from station as s where s.type = 'L' and ${condition}`)
      expect(performance.now() - started).toBeLessThan(1000)
    }
  })
})
