import { describe, expect, it } from 'vitest'
import { groupObjects } from './group-objects.ts'

describe('Objects of the items of a payload', () => {
  it('are joined when they differ in their items only, with where each came from', () => {
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

  it('come in an order in which each finds what it refers to', () => {
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

  it('are parted when there are very many, unless they are complete', () => {
    const many = (head: object) => [
      { source: 0, value: { ...head, items: Array.from({ length: 4500 }, (_, index) => index) } },
    ]
    expect(groupObjects(many({ kind: 'stations' })).map(({ sources }) => sources.length)).toEqual([
      2000, 2000, 500,
    ])
    expect(groupObjects(many({ kind: 'stations', complete: true }))).toHaveLength(1)
  })

  it('are deleted last', () => {
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

  it('stay alone when they are none', () => {
    const values = [1, null, [2], 'x', { kind: 'events', items: 'none' }]
    const found = groupObjects(values.map((value, source) => ({ source, value })))
    expect(found.map(({ objects }) => objects)).toEqual([[4], [0, 1, 2, 3]])
  })
})
