import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { split, toComments } from './comments.ts'
import type { TitleEnd } from './comments.ts'
import { anEvent } from '../../test/contract/datex/an-event.ts'

const said = (differences: object, titleEnd: TitleEnd = '. ') =>
  toComments(anEvent(differences), titleEnd).map(({ comment }) => comment)

describe('toComments', () => {
  it('joins title and text in every language', () => {
    const event = {
      title: { it: 'Coda', de: 'Stau', en: 'Queue' },
      text: { it: '2 km', fr: 'bouchon' },
    }
    expect(said(event)).toEqual([{ de: 'Stau', en: 'Queue', fr: 'bouchon', it: 'Coda. 2 km' }])
    expect(said(event, ' ')).toMatchObject([{ it: 'Coda 2 km' }])
    // A description that equals title and text joined by a space adds nothing.
    expect(said({ ...event, description: 'Coda 2 km' })).toHaveLength(1)
  })

  it.each([
    ['SS12, km 482', 'Lavori.', 'SS12, km 482. Lavori.'],
    ['Chiuso!', 'Fino alle 18', 'Chiuso! Fino alle 18'],
    ['Brennero:', 'coda', 'Brennero: coda'],
    ['Ponte (A22)', 'coda', 'Ponte (A22). coda'],
    ['Coda', ' | ', 'Coda  |'],
    ['', 'coda', 'coda'],
  ])('separates the title %j from the text %j', (it, text, joined) => {
    expect(said({ title: { it }, text: { it: text } })).toEqual([{ it: joined }])
  })

  it('includes description and location description unless empty or equal to the title', () => {
    const event = { title: { de: 'Stau' }, text: {}, locationDescription: 'SS12, km 482' }
    expect(said({ ...event, description: 'Bus fährt' })).toEqual([
      { de: 'Stau' },
      { '': 'Bus fährt' },
      { '': 'SS12, km 482' },
    ])
    expect(said({ ...event, description: ' | ' })).toHaveLength(2)
    expect(said({ ...event, description: 'Stau ' })).toHaveLength(2)
  })

  it('falls back to the category or name if there is no other text', () => {
    const silent = { title: {}, text: { de: ' ' }, description: null, name: '125' }
    expect(said({ ...silent, category: 'Aktuelle Ereignisse' })).toEqual([
      { '': 'Aktuelle Ereignisse' },
    ])
    expect(said({ ...silent, category: ' | ' })).toEqual([{ '': '125' }])
    expect(said({ ...silent, category: null, name: '' })).toEqual([])
  })

  it('continues a long text in further comments, only in the languages that have more text', () => {
    const sentence = 'Die Straße ist gesperrt. '
    const long = sentence.repeat(100).trim()
    const pages = said({ title: {}, text: { de: long, it: 'chiuso' } })
    expect(pages.map((page) => Object.keys(page))).toEqual([['de', 'it'], ['de'], ['de']])
    expect(pages.map((page) => page['de']).join('')).toBe(long)
    expect(pages[0]?.['de']?.endsWith('gesperrt. ')).toBe(true)
  })
})

describe('split', () => {
  it('cuts after a word if no sentence ends, and anywhere if no word ends', () => {
    expect(split('wort '.repeat(300))[0]).toHaveLength(1020)
    expect(split(`x${'😀'.repeat(1000)}`)[0]).toHaveLength(1023)
    expect(split('x'.repeat(1500)).map((piece) => piece.length)).toEqual([1024, 476])
  })

  it('returns pieces that fit, keep surrogate pairs whole and join to the original text', () => {
    const unit = fc.constantFrom('a', ' ', '. ', '😀', 'ß', '\n')
    fc.assert(
      fc.property(fc.string({ unit, minLength: 900, maxLength: 5000 }), (text) => {
        const pieces = split(text)
        expect(pieces.join('')).toBe(text)
        expect(pieces.every((piece) => piece.length <= 1024 && piece.isWellFormed())).toBe(true)
      }),
    )
  })
})
