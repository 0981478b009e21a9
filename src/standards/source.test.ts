import { describe, expect, it } from 'vitest'
import type { CurrentStation } from '../timeseries/index.ts'
import { dataTypesIn, sourceFaults, valuesOf } from './source.ts'
import type { Source } from './source.ts'

const time = new Date('2026-11-20T12:00:00Z')

const station: CurrentStation = {
  id: 0,
  type: 'Bike',
  code: 'b',
  name: 'Station',
  origin: 'O',
  active: true,
  position: null,
  parent: { type: 'Bike', code: 'p' },
  metadata: {
    bays: 8,
    state: 'READY',
    a: { 'b.c': { d: [{ e: 1 }] } },
    it: 'Stazione',
    none: null,
    odd: { toString: 1 },
  },
  described: time,
  values: {
    free: { value: 3, time, written: time },
    'Nr. Light': { value: '5', time, written: time },
  },
}

describe('A source', () => {
  it.each<[Source, readonly unknown[]]>([
    ['name', ['Station']],
    ['parent', ['p']],
    ['metadata.bays', [8]],
    ['metadata.a.b.c.d.0.e', [1]],
    ['metadata.none', []],
    ['metadata.a.x', []],
    ['metadata.constructor', []],
    ['value.Nr. Light', ['5']],
    ['value.missing', []],
    ['time.free', [time]],
    [
      ['metadata.none', 'metadata.it', 'name'],
      ['Stazione', 'Station'],
    ],
    [{ const: false }, [false]],
    [{ from: 'metadata.state', map: { READY: true } }, [true]],
    [{ from: 'metadata.none', map: { READY: true }, default: false }, [false]],
    [{ from: 'metadata.it', map: {} }, []],
    [{ from: 'metadata.odd', map: { READY: true }, default: false }, [false]],
    [{ minus: ['metadata.bays', 'value.free'] }, [5]],
    [{ minus: ['value.free', 'metadata.bays'] }, [0]],
    [{ minus: ['metadata.bays', 'metadata.it'] }, []],
    [{ percent: 'metadata.bays' }, [0.08]],
    [{ percent: 'metadata.it' }, []],
    [{ texts: { it: 'metadata.it', de: 'metadata.de' } }, [{ it: 'Stazione' }]],
  ])('%j reads %j', (source, values) => {
    expect(sourceFaults(source)).toEqual([])
    expect(valuesOf(source, station)).toEqual(values)
  })

  it('names the data types that it reads', () => {
    const source: Source = [
      { minus: ['metadata.bays', 'value.Nr. Light'] },
      { from: 'time.free', map: {} },
      { texts: { de: { percent: 'value.x' } } },
      { const: 'value.y' },
    ]
    expect(dataTypesIn(source)).toEqual(['Nr. Light', 'free', 'x'])
  })

  it.each<[unknown, readonly (string | number)[], string]>([
    ['metdata.bays', [], 'is not a path: "metdata.bays"; did you mean metadata.?'],
    ['value', [], 'is not a path: "value"; did you mean value.?'],
    ['value.', [], 'is not a path'],
    ['x', [], 'paths begin with name, code,'],
    [3, [], 'is not a source: use a path'],
    [null, [], 'is not a source'],
    [[], [], 'is not a source'],
    [{ from: 'name' }, [], 'is not a source'],
    [{ from: 'name', map: 1 }, [], 'is not a source'],
    [['name', { minus: ['name', 'nam'] }], [1, 'minus', 1], 'did you mean name?'],
    [{ texts: { de: {} } }, ['texts', 'de'], 'is not a source'],
  ])('%j is refused', (written, path, reason) => {
    expect(sourceFaults(written)).toEqual([{ path, reason: expect.stringContaining(reason) }])
  })
})
