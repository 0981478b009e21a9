import type { Phrase } from './phrase.ts'

/** Wines and what is said of them. */

export const grapeNames: readonly Phrase[] = [
  { de: 'Vernatsch', it: 'Schiava', en: 'Schiava' },
  { de: 'Lagrein', it: 'Lagrein', en: 'Lagrein' },
  { de: 'Weißburgunder', it: 'Pinot bianco', en: 'Pinot Blanc' },
  { de: 'Gewürztraminer', it: 'Gewürztraminer', en: 'Gewürztraminer' },
  { de: 'Blauburgunder', it: 'Pinot nero', en: 'Pinot Noir' },
  { de: 'Sylvaner', it: 'Sylvaner', en: 'Sylvaner' },
]

export const awardNames: readonly string[] = ['Gold', 'Silver', 'Five Grapes', 'Golden Barrel']

export const wineTexts: readonly Phrase[] = [
  {
    de: '{grape} vom Jahrgang {vintage}: klar, würzig und lang im Abgang.',
    it: '{grape} dell’annata {vintage}: nitido, speziato e persistente.',
    en: '{grape} of the {vintage} vintage: clear, spicy and long on the palate.',
  },
  {
    de: 'Ein {grape} zu Speck und langen Abenden.',
    it: 'Un {grape} per lo speck e le lunghe serate.',
    en: 'A {grape} for cured ham and long evenings.',
  },
]
