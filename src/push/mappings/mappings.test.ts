import { describe, expect, it } from 'vitest'
import { loaded } from '../../../test/fixtures/loaded-mapping.ts'
import type { Kind } from '../canonical/kind.ts'
import { dataTypesKind, measurementsKind, stationsKind } from '../canonical/timeseries.ts'
import type { Rejection } from '../rejection.ts'
import type { Mapped, PlacedObject } from './mapper.ts'
import { groupObjects, toParts } from './mappings.ts'

describe('Objects of the items of a payload', () => {
  it('are joined if they differ only in their items, with the source of each', () => {
    const of = (source: number, ...items: unknown[]) => ({
      source,
      value: { kind: 'events', origin: 'o', items },
    })
    expect(
      groupObjects([
        of(0, 'a', 'b'),
        of(4, 'c'),
        { source: 5, value: { kind: 'events', origin: 'p' } },
      ]),
    ).toEqual([
      {
        message: { kind: 'events', origin: 'o', items: ['a', 'b', 'c'] },
        sources: [
          { source: 0, index: 0 },
          { source: 0, index: 1 },
          { source: 4, index: 0 },
        ],
        objects: [0, 4],
      },
      { message: { kind: 'events', origin: 'p' }, sources: [], objects: [5] },
    ])
  })

  it('follow the objects that they refer to', () => {
    const kinds = [
      'content',
      'measurements',
      'stations',
      'availability',
      'odd',
      'events',
      'dataTypes',
      'edges',
    ]
    const objects = kinds.map((kind, source) => ({ source, value: { kind, items: [] } }))
    expect(groupObjects(objects).map(({ message }) => message)).toMatchObject(
      [
        'dataTypes',
        'stations',
        'edges',
        'measurements',
        'events',
        'content',
        'availability',
        'odd',
      ].map((kind) => ({ kind })),
    )
  })

  it('are split if there are very many, unless they are a complete list', () => {
    const many = (head: object) => [
      { source: 0, value: { ...head, items: Array.from({ length: 4500 }, (_, index) => index) } },
    ]
    expect(groupObjects(many({ kind: 'stations' })).map(({ sources }) => sources.length)).toEqual([
      2000, 2000, 500,
    ])
    expect(groupObjects(many({ kind: 'stations', complete: true }))).toHaveLength(1)
  })

  it('are joined with their deletions', () => {
    const value = (items: unknown, deletions: unknown) => ({
      kind: 'content',
      entity: 'E',
      items,
      delete: deletions,
    })
    const [joined] = groupObjects([
      { source: 0, value: value([1], ['x']) },
      { source: 1, value: value(undefined, ['y']) },
    ])
    expect(joined?.message).toEqual({
      kind: 'content',
      entity: 'E',
      items: [1],
      delete: ['x', 'y'],
    })
  })

  it('are grouped last if they are not canonical objects', () => {
    const values = [1, null, [2], 'x', { kind: 'events', items: 'none' }]
    const found = groupObjects(values.map((value, source) => ({ source, value })))
    expect(found.map(({ objects }) => objects)).toEqual([[4], [0, 1, 2, 3]])
  })
})

/** Kinds that record the objects which they check. */
function noting(stored: object[]): readonly Kind[] {
  return [dataTypesKind, stationsKind, measurementsKind].map((kind) => ({
    ...kind,
    check: (message) => {
      stored.push(message)
      return kind.check(message)
    },
  }))
}

const mapping = loaded({
  ...{ version: '1.5', stream: 'acme/data', lineage: 'ACME', each: '$' },
  dataTypes: [{ name: 'free' }],
})

function run(objects: readonly PlacedObject[], rejected: readonly Rejection[] = []) {
  const stored: object[] = []
  const mapped: Mapped = { mapping, objects, rejected }
  const parts = [...toParts(mapped, noting(stored))]
  return { stored, rejected: parts.flatMap((part) => part.rejected) }
}

const stations = (source: number, items: readonly object[], more: object = {}) => ({
  source,
  value: { kind: 'stations', stationType: 'S', ...more, items },
})

const values = (source: number, items: readonly unknown[], more: object = {}) => ({
  source,
  value: { kind: 'measurements', stationType: 'S', period: 60, ...more, items },
})

describe('A mapped message', () => {
  it('starts with the data types of its mapping, unless it has no objects', () => {
    const { stored } = run([stations(0, [{ code: 'a' }])])
    expect(stored).toMatchObject([
      { kind: 'dataTypes', items: [{ name: 'free' }] },
      { kind: 'stations' },
    ])
    const before = { ...stations(0, [{ code: 'a' }]), source: null }
    expect(run([before]).stored).toMatchObject([{ kind: 'dataTypes' }, { kind: 'stations' }])
    expect(run([]).stored).toEqual([])
  })

  it('has its mapping as provenance, with its lineage unless another is specified', () => {
    const provenance = { name: 'mine', version: '9', lineage: 'theirs' }
    const { stored } = run([values(0, []), values(1, [], { provenance })])
    expect(stored.slice(1)).toMatchObject([
      { provenance: { name: 'acme-data', version: '1.5', lineage: 'ACME' } },
      { provenance: { name: 'acme-data', version: '1.5', lineage: 'theirs' } },
    ])
  })

  it('reports violations of the canonical formats by item of the payload', () => {
    const { rejected } = run([
      stations(3, [{ code: 'a' }, { code: '' }]),
      stations(7, [{ code: 'b', active: 'yes' }]),
    ])
    expect(rejected).toMatchObject([
      { index: 3, kind: 'stations', pointer: '/items/1/code' },
      { index: 7, kind: 'stations', pointer: '/items/0/active' },
    ])
  })

  it('reports an invalid field of an object for each of its source items', () => {
    const { rejected } = run([values(1, [], { period: 'x' }), values(2, [], { period: 'x' })])
    expect(rejected).toMatchObject([
      { index: 1, kind: 'measurements', pointer: '/period' },
      { index: 2, kind: 'measurements', pointer: '/period' },
    ])
  })

  it('requires objects of an existing kind', () => {
    const odd = (source: number, value: unknown) => ({ source, value })
    expect(
      run([odd(0, { kind: 'station', items: [] }), odd(1, 'text'), odd(2, [1])]).rejected,
    ).toEqual([
      { index: 0, pointer: '/kind', reason: expect.stringContaining('did you mean stations?') },
      {
        index: 1,
        pointer: '/kind',
        reason: expect.stringContaining('not return a canonical object'),
      },
      {
        index: 2,
        pointer: '/kind',
        reason: expect.stringContaining('not return a canonical object'),
      },
    ])
  })

  it('does not count as a complete list of stations if anything is rejected', () => {
    const complete = { complete: true }
    const good = stations(0, [{ code: 'a' }], complete)
    expect(run([good]).stored.at(-1)).toMatchObject(complete)
    for (const found of [
      run([good], [{ index: 1, reason: 'is bad' }]),
      run([good, stations(1, [{ code: '' }], complete)]),
    ]) {
      expect(found.stored.at(-1)).toMatchObject({ complete: false })
      expect(found.rejected).toContainEqual(
        expect.objectContaining({ index: null, pointer: '/complete', kind: 'stations' }),
      )
    }
  })
})
