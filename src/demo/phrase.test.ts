import { describe, expect, it } from 'vitest'
import { randomOf } from './random.ts'
import { compose, fill, placeTexts } from './phrase.ts'

describe('phrases', () => {
  it('are filled in each language, or in English if the value has no such language', () => {
    const phrase = { de: 'In {place}', it: 'A {place}', en: 'In {place}', nl: 'In {place}' }
    expect(fill(phrase, { place: { de: 'Meran', it: 'Merano', en: 'Meran/Merano' } })).toEqual({
      de: 'In Meran',
      it: 'A Merano',
      en: 'In Meran/Merano',
      nl: 'In Meran/Merano',
    })
  })

  it('must not have an unfilled slot', () => {
    const phrase = { de: '{gap}', it: '{gap}', en: '{gap}' }
    expect(() => fill(phrase)).toThrow('Nothing fills {gap}.')
  })

  it('are composed of the same choices in all languages', () => {
    const numbers = [1, 2, 3, 4, 5].map((n) => ({ de: `d${n}`, it: `i${n}`, en: `e${n}` }))
    const texts = compose(randomOf('choice'), [numbers, numbers])
    expect(texts['it']).toBe(texts['de']?.replaceAll('d', 'i'))
    expect(texts['en']).toBe(texts['de']?.replaceAll('d', 'e'))
  })

  it('name places in both local languages in every other language', () => {
    expect(placeTexts({ de: 'Lana', it: 'Lana' })['en']).toBe('Lana')
    expect(placeTexts({ de: 'Brixen', it: 'Bressanone' })['ru']).toBe('Brixen/Bressanone')
  })
})
