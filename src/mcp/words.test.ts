import { describe, expect, it } from 'vitest'
import { fold, likeness, wordsOf } from './words.ts'

describe('Words', () => {
  it('are compared without accents, case and umlauts', () => {
    expect(fold(' Größe ')).toBe('grosse')
    expect(wordsOf('freie Parkplätze')).toEqual(['freie', 'parkplatze'])
    expect(wordsOf('timeseries/ParkingStation')).toEqual(['timeseries', 'parking', 'station'])
    expect(wordsOf('a - b')).toEqual([])
  })

  it.each([
    ['parcheggio', 'parcheggi'],
    ['parkplatz', 'parkplatze'],
    ['churches', 'church'],
    ['wetter', 'wetterstation'],
  ])('with the same stem are similar: %s, %s', (one, other) => {
    expect(likeness(one, other)).toBeGreaterThan(0.4)
    expect(likeness(other, one)).toBe(likeness(one, other))
    expect(likeness(one, one)).toBe(1)
  })

  it.each([
    ['park', 'bark'],
    ['car', 'card'],
    ['hotel', 'hostel'],
  ])('with different meanings are not similar: %s, %s', (one, other) => {
    expect(likeness(one, other)).toBe(0)
  })
})
