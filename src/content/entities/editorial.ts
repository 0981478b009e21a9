import { Type } from 'typebox'
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
  begin,
  end,
  flag,
  integer,
  keyed,
  kind,
  moment,
  note,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'
import { defineEntity, filter } from '../entity.ts'
import type { Filter, GeneratedColumn, Parameter, Query } from '../entity.ts'
import {
  beginsBy,
  dateParameter,
  firstDay,
  fromText,
  lastDay,
  toEnd,
  windowFilter,
} from '../filters/lists/dates.ts'
import type { Moment } from '../filters/lists/dates.ts'
import type { Choice } from '../presentation.ts'
import { wineAwardColumns, wineAwardFilters } from '../filters/lists/further.ts'
import { flagFilter, listFilter, namedMaskFilter, rejected } from '../filters/values.ts'
import { polygonFilterOn } from '../geography/area-filters.ts'
import type { Naming } from '../naming.ts'
import { timeForms } from '../rawfilter/lexer.ts'
import { lowerSetOf, timeAt } from '../table.ts'
import { articleTypes } from '../type-lists/types.ts'
import { all, sql } from '../../sql/index.ts'

const elements = object({ Language: text, Elements: keyed(text) })

/** Defines the entity for editorial content (interface 2.3). */
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
      Type: note(kind, 'Such as newsfeednoi or recipearticle'),
      SubType: text,
      ArticleTypes: typeLinks,
      ArticleTypeList: texts,
      ArticleDate: begin,
      ArticleDateTo: end,
      ExpirationDate: note(moment, 'When it is no longer current'),
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
 * Defines the entity for mobility events as records: the newest state of each series (decisions
 * D37, D50). It is a view that the database updates together with the events
 * (migrations/0013-announcements.sql).
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
      StartTime: note(begin, 'Start of the event; null if unknown'),
      EndTime: note(end, 'End of the event; null if open'),
      Detail: shortDetail,
      Geo: note(namedPositions, 'Location: one position, and the complete shape as Geometry (WKT)'),
      TagIds: tagIds,
      AdditionalProperties: note(
        keyed(object({})),
        'MobilityEvent: further metadata of the event, as in /v2/flat,event',
      ),
    }),
  })

/** Defines the entity for wines and the awards that they won. */
export const wineAward = (naming: Naming) =>
  defineEntity({
    name: 'WineAward',
    summary: 'Wines and their awards',
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

const articleColumns: Readonly<Record<string, GeneratedColumn>> = {
  kinds: lowerSetOf('ArticleTypeList', 'Type', 'SubType'),
  article_date: timeAt('ArticleDate'),
  article_end: timeAt('ArticleDateTo'),
}

const ofKind = (kinds: readonly string[]) => sql`kinds && ${kinds}::text[]`

/**
 * Filter for articles that are valid within a window. If only one end is given, for articles that
 * are valid on that day.
 */
const window = windowFilter({
  parameters: [
    dateParameter(
      'startdate',
      'Only articles that are valid at this time or later',
      firstDay('ArticleDateTo'),
    ),
    dateParameter(
      'enddate',
      'Only articles that are valid at this time or earlier',
      lastDay('ArticleDate'),
    ),
  ],
  meaning: (from, to) => {
    const [first, last] = [from ?? to, to ?? from]
    if (first === undefined || last === undefined) return undefined
    return {
      text: `${first.iso}/${toEnd(last)}`,
      condition: all([
        sql`coalesce(article_end, 'infinity') >= ${first.iso}::timestamptz`,
        beginsBy(sql`article_date`, last),
      ]),
    }
  },
})

/** Filters of the article list (reference content.md 1.5). */
const articleFilters: readonly Filter[] = [
  namedMaskFilter({
    name: 'articletype',
    description: 'Types, any of them',
    types: articleTypes,
    toCode: (name) => name.toLowerCase(),
    condition: ofKind,
  }),
  listFilter({
    name: 'articlesubtype',
    description: 'Subtypes by name, any of them',
    example: 'news',
    toItem: (item) => item.toLowerCase(),
    // The meaning of the bits of a number depends on the type, so only names are accepted.
    isItem: (item) => /[^\d~]/.test(item),
    expected: ['comma-separated names of subtypes'],
    condition: ofKind,
  }),
  window,
  {
    ...flagFilter({
      name: 'sortbyarticledate',
      description: 'Sort by the date of the article, oldest first',
      condition: () => sql`true`,
    }),
    read: ({ query }) =>
      query['sortbyarticledate'] === true
        ? {
            text: 'true',
            condition: sql`true`,
            order: [
              {
                name: 'article_date',
                value: sql`coalesce(article_date, 'infinity')`,
                type: 'timestamptz',
                direction: 'ascending',
              },
            ],
          }
        : undefined,
  },
]

const announcementColumns: Readonly<Record<string, GeneratedColumn>> = {
  begins: timeAt('StartTime'),
  ends: timeAt('EndTime'),
}

const examples = {
  good: ['2026-01-31', '2026-01-31T10:30:00Z', '2026-01-31T10:30:00+01:00'],
  bad: ['2026-02-30', 'soon', '31.1.2026', '2026-01-31T25:00'],
}

const schemaOf = (description: string) =>
  Type.String({ maxLength: 40, description: `${description}; ISO 8601, UTC without an offset` })

const timeParameter = (name: string, description: string, choice: Choice): Parameter => ({
  name,
  schema: schemaOf(description),
  examples,
  choice,
})

/**
 * Filter for announcements whose time overlaps a window. A missing start or end of an announcement
 * is open (reference content.md 1.12).
 */
const timeWindow = windowFilter({
  parameters: [
    timeParameter('begin', 'Only events that have not ended at this time', firstDay('EndTime')),
    timeParameter(
      'end',
      'Only events that begin by this time, or on this day',
      lastDay('StartTime'),
    ),
  ],
  read: readTime,
  meaning: (from, to) => {
    const first = from?.iso ?? '-infinity'
    const begins = sql`coalesce(begins, '-infinity')`
    return {
      text: `${first}/${to === undefined ? '' : toEnd(to)}`,
      condition: all([
        sql`coalesce(ends, 'infinity') >= ${first}::timestamptz`,
        ...(to === undefined ? [] : [beginsBy(begins, to)]),
      ]),
    }
  },
})

/** The `updatefrom` of every list, but with a resolution of seconds instead of days. */
const updates: Filter = filter({
  name: 'updatefrom',
  schema: schemaOf('Only events that changed at this time or later'),
  examples,
  read: (written) => {
    const { iso } = toMoment(written, 'updatefrom')
    return { text: iso, condition: sql`last_change >= ${iso}::timestamptz` }
  },
})

function readTime(query: Query, parameter: string): Moment | undefined {
  const written = query[parameter]
  return typeof written === 'string' ? toMoment(written, parameter) : undefined
}

/**
 * Parses a time.
 * @throws AppError for a text that is not a valid time
 */
function toMoment(written: string, parameter: string): Moment {
  const moment = fromText(written)
  if (moment !== undefined) return moment
  throw rejected({ parameter, detail: `is not a valid time: ${written}`, expected: timeForms })
}

/** Filters of the announcement list. `polygon` compares the whole shape of lines and areas. */
const announcementFilters: readonly Filter[] = [
  timeWindow,
  updates,
  polygonFilterOn({ place: sql`shape` }),
]
