import type { ContentItem } from '../canonical.ts'
import { drawFor, idOf, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { houseStems } from '../texts/names.ts'
import { compose, fill } from '../texts/phrase.ts'
import type { Phrase } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { baseOf, detailOf, imagesOf } from './record.ts'

export function wineAwards(setting: Setting, count: number): Collection {
  return { entity: 'WineAward', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'wine-award', index)
  const id = idOf(setting, 'WineAward', index).toLowerCase()
  const vintage = yearOf(setting) - random.between(1, 6)
  const slots = { stem: random.pick(houseStems), grape: fill(random.pick(grapeNames)), vintage }
  const name = fill(
    {
      de: '{grape} {stem} {vintage}',
      it: '{grape} {stem} {vintage}',
      en: '{grape} {stem} {vintage}',
    },
    slots,
  )
  return {
    ...baseOf(setting, { id, source: 'wine', name, random }),
    Detail: detailOf({ title: name, base: compose(random, [wineTexts], slots) }),
    Vintage: vintage,
    Awardyear: vintage + 1,
    Awards: random.some(awardNames, random.between(1, 2)),
    CustomId: `wine-${index + 1}`,
    ImageGallery: imagesOf(setting, { kind: 'wine', id, name, count: 1 }),
  }
}

/** Wines and what is said of them. */

const grapeNames: readonly Phrase[] = [
  { de: 'Vernatsch', it: 'Schiava', en: 'Schiava' },
  { de: 'Lagrein', it: 'Lagrein', en: 'Lagrein' },
  { de: 'Weißburgunder', it: 'Pinot bianco', en: 'Pinot Blanc' },
  { de: 'Gewürztraminer', it: 'Gewürztraminer', en: 'Gewürztraminer' },
  { de: 'Blauburgunder', it: 'Pinot nero', en: 'Pinot Noir' },
  { de: 'Sylvaner', it: 'Sylvaner', en: 'Sylvaner' },
]

const awardNames: readonly string[] = ['Gold', 'Silver', 'Five Grapes', 'Golden Barrel']

const wineTexts: readonly Phrase[] = [
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
