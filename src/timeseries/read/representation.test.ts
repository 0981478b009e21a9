import { describe, expect, it } from 'vitest'
import { nameOf, parseRepresentation } from './representation.ts'

describe('A representation', () => {
  it.each([
    ['flat', 'flat,node'],
    ['flat,', 'flat,node'],
    ['tree,node', 'tree,node'],
    ['edge,flat', 'flat,edge'],
    [' Flat , EVENT ', 'flat,event'],
    ['flat,node,foo', 'flat,node'],
    ['flat,node,edge', 'flat,edge'],
    ['flat,node,event', 'flat,event'],
    ['flat,tree,edge', 'flat,edge'],
  ])('written %j is %s', (segment, name) => {
    expect(nameOf(parseRepresentation(segment))).toBe(name)
  })

  it.each(['', 'node', 'flat,foo', 'flat,tree', 'tree,flat,node', 'foo'])(
    'is not %j',
    (segment) => {
      expect(() => parseRepresentation(segment)).toThrow('no representation')
    },
  )
})
