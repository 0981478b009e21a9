import { defineEntity } from '../entity.ts'
import { articleColumns, articleFilters } from '../filters/lists/article.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { contacts } from './members/contact.ts'
import { detail } from './members/detail.ts'
import { positions, positionsByType, tracks } from './members/gps.ts'
import { typeLinks } from './members/links.ts'
import { distances } from './members/location.ts'
import { images, videos } from './members/media.ts'
import { schedule } from './members/schedule.ts'
import { flag, keyed, moment, note, object, perLanguage, text, texts } from './members/values.ts'

const elements = object({ Language: text, Elements: keyed(text) })

/** Editorial content (interface 2.3). */
export const article = (naming: Naming) =>
  defineEntity({
    name: 'Article',
    summary: 'Editorial content: news, recipes, press releases',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    columns: articleColumns,
    filters: articleFilters,
    schema: tourismSchema(naming, 'Article', {
      Detail: detail,
      Type: note(text, 'Such as newsfeednoi or recipearticle'),
      SubType: text,
      ArticleTypes: typeLinks,
      ArticleTypeList: texts,
      ArticleDate: moment,
      ArticleDateTo: moment,
      ExpirationDate: note(moment, 'When it is no longer news'),
      Highlight: flag,
      AdditionalArticleInfos: perLanguage(elements),
      ArticleLinkInfo: perLanguage(elements),
      ContactInfos: contacts,
      ImageGallery: images,
      VideoItems: videos,
      GpsInfo: positions,
      GpsTrack: tracks,
      OperationSchedule: schedule,
      DistanceInfo: distances,
      GpsPoints: positionsByType,
    }),
  })
