import type { ContentItem } from '../canonical.ts'
import { drawFor, idOf, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { awardNames, grapeNames, wineTexts } from '../texts/wine.ts'
import { houseStems } from '../texts/names.ts'
import { compose, fill } from '../texts/phrase.ts'
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
