import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import { farthest, parseNear, defaultDistance } from './near-filter.ts'

const conditionOf = (source: string) => {
  const { where } = parseNear(source)
  return where?.source.slice(where.start)
}

describe('the near parser', () => {
  it.each([
    ['ParkingStation', ['ParkingStation'], undefined, defaultDistance],
    ['ParkingStation;where=mvalue.gt.10;within=600', ['ParkingStation'], 'mvalue.gt.10', 600],
    ['ParkingStation;within=600;where=mvalue.gt.10', ['ParkingStation'], 'mvalue.gt.10', 600],
    [' A , B ,A ; WITHIN = 5 ; Where = a.eq.1 ', ['A', 'B'], 'a.eq.1', 5],
    ['*', [], undefined, defaultDistance],
    ['A,*;within=50000', [], undefined, farthest],
    ['A;where=;within=null', ['A'], undefined, defaultDistance],
    ['A;where=null;within=', ['A'], undefined, defaultDistance],
    ['A;where=a.eq."x;within=5";within=7', ['A'], 'a.eq."x;within=5"', 7],
    [String.raw`A;where=a.eq."x\";y";within=7`, ['A'], String.raw`a.eq."x\";y"`, 7],
    [String.raw`A;where=a.eq.x\;y`, ['A'], String.raw`a.eq.x\;y`, defaultDistance],
    ['A;where=a.eq."x=y"', ['A'], 'a.eq."x=y"', defaultDistance],
    ['A;where=a.eq."never;closed', ['A'], 'a.eq."never;closed', defaultDistance],
    ['A;where=a.eq.x\\', ['A'], 'a.eq.x\\', defaultDistance],
  ])('reads %j', (source, types, where, within) => {
    const near = parseNear(source)
    expect([near.types, conditionOf(source), near.within]).toEqual([types, where, within])
  })

  it.each([
    ['', 0, 'station types'],
    [';within=5', 0, 'station types'],
    [' , ;within=5', 0, 'station types'],
    ['where=a.eq.1', 0, 'station types'],
    ['Within = 5', 0, 'station types'],
    ['A"B;within=5', 0, 'station types'],
    ['A;', 2, 'where=<condition>'],
    ['A;;within=5', 2, 'within=<metres>'],
    ['A; radius=5', 3, 'within=<metres>'],
    ['A;within=5;where', 11, 'where=<condition>'],
    ['A;within=0', 9, '1 to 50000'],
    ['A;within= 50001', 10, '1 to 50000'],
    ['A;within=1.5', 9, 'whole metres'],
    ['A;within=-5', 9, 'whole metres'],
    ['A;within=600m', 9, 'whole metres'],
    ['A;within="5"', 9, 'whole metres'],
    ['A;within=99999999999999999999', 9, 'whole metres'],
    ['A;within=5; within=6', 19, 'within once'],
    ['A;where=a.eq.1;where=b.eq.2', 21, 'where once'],
  ])('refuses %j at position %i', (source, position, expected) => {
    const error = faultOf(source)
    expect(error.code).toBe('HUB-QRY-001')
    expect(error.issues).toEqual([
      expect.objectContaining({
        parameter: 'near',
        position,
        expected: expect.arrayContaining([expect.stringContaining(expected)]),
      }),
    ])
  })

  const pieces = fc.constantFrom('A', ',', ';', '"', '\\', '=', ' ', 'where=', 'within=', '5', '*')
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((all) => all.join('')),
  )

  it('reads any text, or reports the position of its error', () => {
    fc.assert(
      fc.property(texts, (source) => {
        try {
          const { within, where, types } = parseNear(source)
          expect(within >= 1 && within <= farthest).toBe(true)
          expect(types).not.toContain('')
          if (where !== undefined) expect(source.startsWith(where.source)).toBe(true)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const [{ position = -1 } = {}] = error.issues
          expect(position >= 0 && position <= source.length).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps a condition unchanged with any text between its quotes', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, isFirst) => {
        const where = `where=a.eq."${text.replace(/["\\]/g, '\\$&')}"`
        const parts = isFirst ? [where, 'within=7'] : ['within=7', where]
        const source = ['A', ...parts].join(';')
        expect(conditionOf(source)).toBe(where.slice('where='.length))
        expect(parseNear(source).within).toBe(7)
      }),
    )
  })
})

function faultOf(source: string): AppError {
  try {
    parseNear(source)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error(`${source} was read`)
}
