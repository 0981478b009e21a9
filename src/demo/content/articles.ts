import type { ContentItem } from '../canonical.ts'
import { dateTimeOf, day, drawFor, idOf, lastMidnight } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { articleNames, articleTexts } from '../texts/happenings.ts'
import { families, landmarks } from '../texts/names.ts'
import { gettingThere } from '../texts/outdoors.ts'
import { compose, fill, perLanguage, placeTexts } from '../texts/phrase.ts'
import { accommodationId } from './accommodations.ts'
import type { Collection } from './collection.ts'
import { baseOf, contactInfosOf, contactOf, detailOf, gpsOf, imagesOf, tagsOf } from './record.ts'

/** Stories; each recommends a house, of which there are always more. */
export function articles(setting: Setting, count: number): Collection {
  return { entity: 'Article', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'article', index)
  const municipality = setting.geography.somewhere(random)
  const family = random.pick(families)
  const mark = fill(random.pick(landmarks))
  const slots = { family, mark, place: placeTexts(municipality.place) }
  const name = fill(random.pick(articleNames), slots)
  const base = compose(random, [articleTexts, gettingThere], slots)
  const id = idOf(setting, 'Article', index)
  const written = lastMidnight(setting) - random.between(0, 500) * day
  return {
    ...baseOf(setting, { id, source: 'idm', name, random }),
    ...tagsOf(['editorial']),
    Type: 'newsfeed',
    SubType: 'story',
    ArticleDate: dateTimeOf(written),
    ArticleDateTo: dateTimeOf(written + 365 * day),
    Highlight: random.chance(0.2),
    Detail: detailOf({ title: name, base }),
    AdditionalArticleInfos: perLanguage(base, (language) => ({
      Language: language,
      Elements: { author: family },
    })),
    ContactInfos: contactInfosOf(contactOf(random, municipality, name['de'] ?? ''), name),
    GpsInfo: gpsOf(municipality.siteIn(random, 'village')),
    ImageGallery: imagesOf(setting, { kind: 'article', id, name, count: random.between(1, 3) }),
    RelatedContent: [{ Id: accommodationId(setting, index), Type: 'accommodation' }],
  }
}
