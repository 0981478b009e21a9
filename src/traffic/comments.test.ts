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
  ])('keeps the title %j apart from the text %j', (it, text, joined) => {
    expect(said({ title: { it }, text: { it: text } })).toEqual([{ it: joined }])
  })

  it('adds description and location description unless they say nothing new', () => {
    const event = { title: { de: 'Stau' }, text: {}, locationDescription: 'SS12, km 482' }
    expect(said({ ...event, description: 'Bus fährt' })).toEqual([
      { de: 'Stau' },
      { '': 'Bus fährt' },
      { '': 'SS12, km 482' },
    ])
    expect(said({ ...event, description: ' | ' })).toHaveLength(2)
    expect(said({ ...event, description: 'Stau ' })).toHaveLength(2)
  })

  it('says category or name when there is nothing else to say', () => {
    const silent = { title: {}, text: { de: ' ' }, description: null, name: '125' }
    expect(said({ ...silent, category: 'Aktuelle Ereignisse' })).toEqual([
      { '': 'Aktuelle Ereignisse' },
    ])
    expect(said({ ...silent, category: ' | ' })).toEqual([{ '': '125' }])
    expect(said({ ...silent, category: null, name: '' })).toEqual([])
  })

  it('continues a long text in a further comment, which holds only the languages that go on', () => {
    const sentence = 'Die Straße ist gesperrt. '
    const long = sentence.repeat(100).trim()
    const pages = said({ title: {}, text: { de: long, it: 'chiuso' } })
    expect(pages.map((page) => Object.keys(page))).toEqual([['de', 'it'], ['de'], ['de']])
    expect(pages.map((page) => page['de']).join('')).toBe(long)
    expect(pages[0]?.['de']?.endsWith('gesperrt. ')).toBe(true)
  })
})

describe('split', () => {
  it('cuts at a word when no sentence ends, and anywhere when no word does', () => {
    expect(split('wort '.repeat(300))[0]).toHaveLength(1020)
    expect(split(`x${'😀'.repeat(1000)}`)[0]).toHaveLength(1023)
    expect(split('x'.repeat(1500)).map((piece) => piece.length)).toEqual([1024, 476])
  })

  it('makes pieces that fit, keep pairs whole and join to the text again', () => {
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
