import { describe, expect, it } from 'vitest'
import type { TextRow } from '../../storage/index.ts'
import { dataType, measurement, parent, provenance, station } from '../catalogue/groups.ts'
import { latestLevel } from '../catalogue/levels.ts'
import { timePrinter, utc } from '../time.ts'
import type { FieldColumn } from './members.ts'
import { treeWriter } from './answer.ts'

/**
 * Fields of the rows. Before them, each row has its keys (type, code and data type) and the mark
 * for an entry.
 */
const columns: readonly FieldColumn[] = [
  { key: 'sname', type: 'text', group: station, index: 4 },
  { key: 'pcode', type: 'text', group: parent, index: 5 },
  { key: 'tunit', type: 'text', group: dataType, index: 6 },
  { key: 'mvalue', type: 'value', group: measurement, index: 7 },
  { key: 'prname', type: 'text', group: provenance, index: 8 },
]

function write(pages: readonly (readonly TextRow[])[], showNull = false, shown = columns): unknown {
  const keys = [{ index: 0 }, { index: 1 }, { index: 2 }]
  const layout = { shape: latestLevel.tree, columns: shown, keys, present: { index: 3 } }
  const writer = treeWriter(layout, { showNull, printTime: timePrinter(utc) })
  return JSON.parse(pages.map((rows) => writer.rows(rows)).join('') + writer.end())
}

const a1: TextRow = ['P', 'a', 'x', '1', 'A', 'up', 'm', '1', 'dc']
const a2: TextRow = ['P', 'a', 'x', '1', 'A', 'up', 'm', '2.50', null]
const a3: TextRow = ['P', 'a', 'y', '1', 'A', 'up', null, '"on"', null]
const b1: TextRow = ['P', 'b', 'x', null, null, null, 'm', null, null]
const c1: TextRow = ['Q', 'a', 'x', '1', 'C', null, 'm', '{"k":1}', null]

const expected = {
  P: {
    stations: {
      a: {
        sname: 'A',
        sparent: { pcode: 'up' },
        sdatatypes: {
          x: {
            tunit: 'm',
            tmeasurements: [{ mvalue: 1, mprovenance: { prname: 'dc' } }, { mvalue: 2.5 }],
          },
          y: { tmeasurements: [{ mvalue: 'on' }] },
        },
      },
      b: { sdatatypes: { x: { tunit: 'm' } } },
    },
  },
  Q: {
    stations: {
      a: { sname: 'C', sdatatypes: { x: { tunit: 'm', tmeasurements: [{ mvalue: { k: 1 } }] } } },
    },
  },
}

describe('The tree', () => {
  it('is empty without rows', () => {
    expect(write([])).toEqual({})
    expect(write([[]])).toEqual({})
  })

  it('puts every field in its place and lists an entry for each row that has one', () => {
    expect(write([[a1, a2, a3, b1, c1]])).toEqual(expected)
  })

  it('is the same wherever pages break', () => {
    expect(write([[a1], [a2, a3], [b1], [c1]])).toEqual(expected)
  })

  it('shows nulls, and objects with only nulls, if requested', () => {
    expect(write([[c1]], true)).toMatchObject({
      Q: {
        stations: {
          a: {
            sparent: { pcode: null },
            sdatatypes: { x: { tmeasurements: [{ mprovenance: { prname: null } }] } },
          },
        },
      },
    })
  })

  it('keeps branches of which no field is shown', () => {
    expect(write([[a1, a2]], false, [])).toEqual({
      P: { stations: { a: { sdatatypes: { x: { tmeasurements: [{}, {}] } } } } },
    })
  })

  it('escapes keys', () => {
    const odd: TextRow = ['P"', 'a\\', 'x\n', null, null, null, null, null, null]
    expect(write([[odd]])).toEqual({ 'P"': { stations: { 'a\\': { sdatatypes: { 'x\n': {} } } } } })
  })
})
