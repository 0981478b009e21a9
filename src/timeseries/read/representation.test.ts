import { describe, expect, it } from 'vitest'
import { nameOf, parseRepresentation } from './representation.ts'

describe('A representation', () => {
  it.each([
    ['flat', 'flat,node'],
    ['tree,node', 'tree,node'],
    ['edge,flat', 'flat,edge'],
    [' Flat , EVENT ', 'flat,event'],
  ])('written as %j is %s', (segment, name) => {
    expect(nameOf(parseRepresentation(segment))).toBe(name)
  })

  it.each([
    [400, ['foo', 'flat,foo', 'flat,node,foo', 'flat,tree', 'flat,tree,edge']],
    [404, ['', 'node', 'flat,', ',flat', 'flat,flat', 'flat,node,edge', 'tree,node,event']],
  ])('is refused with status %i and a list of valid ones', (status, segments) => {
    const error = { status, hint: expect.stringContaining('tree,event') }
    for (const segment of segments) {
      expect(() => parseRepresentation(segment)).toThrow(expect.objectContaining(error))
    }
  })
})
