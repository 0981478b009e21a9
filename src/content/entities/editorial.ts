import { defineEntity } from '../entity.ts'
import {
  announcementColumns,
  announcementFilters,
  articleColumns,
  articleFilters,
} from '../filters/lists/editorial.ts'
import { wineAwardColumns, wineAwardFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { recordSchema, tourismSchema } from './base.ts'
import {
  contacts,
  detail,
  images,
  link,
  schedule,
  shortDetail,
  tagIds,
  typeLinks,
  videos,
} from './members/parts.ts'
import {
  distances,
  namedPositions,
  positions,
  positionsByType,
  tracks,
} from './members/positions.ts'
import {
  flag,
  integer,
  keyed,
  moment,
  note,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'

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

/**
 * Mobility events as records: for each series its newest state (decisions D37, D50). A view, which the
 * database keeps in step with the events (migrations/0013-announcements.sql).
 */
export const announcement = () =>
  defineEntity({
    name: 'Announcement',
    summary: 'Traffic events: closures, road works, accidents, weather on the road',
    idStyle: 'lower',
    titles: ['Detail.*.Title'],
    columns: announcementColumns,
    filters: announcementFilters,
    area: 'event',
    schema: recordSchema('Announcement', {
      StartTime: note(moment, 'When the event begins; null where it is not known'),
      EndTime: note(moment, 'When it ends; null where that is open'),
      Detail: shortDetail,
      Geo: note(namedPositions, 'Where it is: one position, its whole shape as Geometry (WKT)'),
      TagIds: tagIds,
      AdditionalProperties: note(
        keyed(object({})),
        'MobilityEvent: what the event says besides, as /v2/flat,event has it',
      ),
    }),
  })

/** Wines and the awards that they won. */
export const wineAward = (naming: Naming) =>
  defineEntity({
    name: 'WineAward',
    summary: 'Wines and the awards that they won',
    idStyle: 'lower',
    titles: ['Detail.*.Title'],
    columns: wineAwardColumns,
    filters: wineAwardFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'WineAward', {
      Detail: detail,
      Vintage: note(integer, 'Year of the harvest'),
      Awardyear: integer,
      Awards: texts,
      CustomId: note(text, 'Identifier of the wine'),
      CompanyId: note(text, 'Point of interest of the wine company'),
      Company: link,
      ImageGallery: images,
    }),
  })
