import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TextRow } from '../../storage/index.ts'
import { dataType, measurement, station } from '../catalogue/groups.ts'
import { latestLevel } from '../catalogue/levels.ts'
import type { Writer } from '../formats/format.ts'
import { json } from '../formats/index.ts'
import { timePrinter, utc } from '../time.ts'
import { flatWriter, treeWriter } from './answer.ts'
import { isComparable, writeWhole } from './write-whole.ts'
import type { WrittenAnswer } from './write-whole.ts'

const style = { showNull: false, printTime: timePrinter(utc) }
const columns = [
  { key: 'sname', type: 'text', group: station, index: 3 },
  { key: 'tunit', type: 'text', group: dataType, index: 4 },
  { key: 'mvalue', type: 'value', group: measurement, index: 5 },
] as const
const keys = [{ index: 0 }, { index: 1 }, { index: 2 }]
const layout = { shape: latestLevel.tree, columns, keys, present: { index: 0 } }
const writers: Readonly<Record<string, () => Writer>> = {
  flat: () => flatWriter(columns, style),
  tree: () => treeWriter(layout, style),
}

function open(data: Writer) {
  const zone = 'UTC'
  const listing = { offset: 0, limit: -1, columns, style, data, bom: false, zone }
  return json.open({ ...listing, kinds: { text: false, json: false } })
}

/**
 * Rows with three keys in the order of the tree, then the shown fields. In flat, a row without any
 * shown field is not written.
 */
const row = fc
  .tuple(fc.nat({ max: 40 }), fc.constantFrom(null, 'Über', 'A'), fc.constantFrom('1', '2.5', null))
  .map(([place, name, value]): TextRow => {
    const [type, code, name2] = [place >> 4, (place >> 2) & 3, place & 3].map(String)
    return [`P${type ?? ''}`, code ?? '', name2 ?? '', name, null, value]
  })
const keyOf = (one: TextRow) => one.slice(0, 3).join(' ')
const inOrder = (rows: readonly TextRow[]) =>
  rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

/** Which of the previous rows stay, and which rows are added. */
const change = fc.tuple(fc.array(fc.boolean(), { minLength: 1 }), fc.array(row, { maxLength: 6 }))

it.each(['flat', 'tree'])(
  'A response (%s) is the same regardless of the previous response',
  async (name) => {
    const writer = () => open(writers[name]?.() ?? flatWriter(columns, style))
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.array(change), async (first, changes) => {
        let [rows, before]: [readonly TextRow[], WrittenAnswer | undefined] = [
          inOrder(first),
          undefined,
        ]
        for (const [stay, come] of [[[true], []] as const, ...changes]) {
          rows = inOrder([...rows.filter((_row, place) => stay[place % stay.length]), ...come])
          const written = await writeWhole(rows, { writer: await writer(), slice: 3, before })
          const fresh = await writeWhole(rows, {
            writer: await writer(),
            slice: 1,
            before: undefined,
          })
          const data = writers[name]?.() ?? flatWriter(columns, style)
          const text = written.bytes.toString()
          expect(text).toBe(fresh.bytes.toString())
          expect(text).toContain(`"data":${data.rows(rows)}${data.end()}}`)
          before = isComparable(written) ? written : undefined
        }
      }),
    )
  },
)

it('Rows in the same sequence as before are not written again', async () => {
  const rows: TextRow[] = Array.from({ length: 100 }, (_row, place) => [
    ...['P', String(place), 'x', 'A', null],
    String(place),
  ])
  const before = await writeWhole(rows, {
    ...{ writer: await open(flatWriter(columns, style)), slice: 10, before: undefined },
  })
  const written: TextRow[] = []
  const counted = flatWriter(columns, style)
  const writer = await open({
    ...counted,
    rows: (some) => {
      written.push(...some)
      return counted.rows(some)
    },
  })
  const changed: TextRow = ['P', '50', 'x', 'B', null, '1']
  const now = [...rows.slice(0, 50), changed, ...rows.slice(51), changed]
  await writeWhole(now, { writer, slice: 10, before })
  // Only the new rows and the rows around them.
  expect(written.length).toBeLessThan(8)
})
