import { defineEntity } from '../entity.ts'
import { activityPoiColumns, activityPoiFilters } from '../filters/lists/activity-poi.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { additionalProperties } from './members/activity-properties.ts'
import { contacts } from './members/contact.ts'
import { detail } from './members/detail.ts'
import { gastronomy } from './members/gastronomy.ts'
import { positions, positionsByType, tracks } from './members/gps.ts'
import { links, typeLinks } from './members/links.ts'
import { distances, location } from './members/location.ts'
import { images, videos } from './members/media.ts'
import { ratings, routeFlags, routeMeasures } from './members/route.ts'
import { schedule } from './members/schedule.ts'
import {
  anything,
  flag,
  integer,
  keyed,
  list,
  note,
  object,
  perLanguage,
  text,
  texts,
} from './members/values.ts'

const additionalPoiInfos = object({
  Language: text,
  Novelty: text,
  Categories: note(texts, 'Display-ready names of the categories'),
  MainType: text,
  SubType: text,
  PoiType: text,
})

const additionalContact = list({ Type: text, ContactInfos: keyed(anything), Description: anything })

const tagOfSource = list({
  Id: text,
  LTSRID: text,
  Level: integer,
  TagName: perLanguage(text),
  LTSTins: list({ Id: text, LTSRID: text, TinName: perLanguage(text) }),
  Self: text,
})

/** Fields to be removed, and their replacements (interface 9.2). */
const deprecatedMembers = (naming: Naming) => ({
  Type: text,
  SubType: text,
  PoiType: text,
  [naming.activityPoiTypes]: typeLinks,
  LTSTags: tagOfSource,
  SmgId: text,
  CustomId: text,
  OwnerRid: text,
  ChildPoiIds: texts,
  MasterPoiIds: texts,
  OutdooractiveID: text,
  OutdooractiveElevationID: text,
  AreaId: texts,
  GpsPoints: positionsByType,
  Difficulty: note(text, '1 easy to 6 hard'),
  Highlight: flag,
  PoiServices: texts,
  PoiProperty: perLanguage(list({ Name: text, Value: text })),
  SyncSourceInterface: text,
  SyncUpdateMode: text,
  ...gastronomy,
})

/** Activities, points of interest and gastronomy (interface 2.3). */
export const activityPoi = (naming: Naming) =>
  defineEntity({
    name: naming.activityPoi,
    summary: 'Activities, points of interest and gastronomy',
    idStyle: 'lower',
    titles: ['Detail.*.Title'],
    columns: activityPoiColumns,
    filters: activityPoiFilters(naming),
    schema: tourismSchema(naming, naming.activityPoi, {
      Detail: detail,
      AdditionalPoiInfos: perLanguage(additionalPoiInfos),
      ContactInfos: contacts,
      AdditionalContact: note(
        keyed(additionalContact),
        'Further contacts, keyed by what they are for',
      ),
      ImageGallery: images,
      VideoItems: videos,
      GpsInfo: positions,
      GpsTrack: tracks,
      LocationInfo: location,
      DistanceInfo: distances,
      DistrictId: text,
      TourismorganizationId: note(text, 'Tourism association'),
      AreaIds: texts,
      Areas: links,
      OperationSchedule: schedule,
      ...routeMeasures,
      ...routeFlags,
      Ratings: ratings,
      Exposition: note(texts, 'Points of the compass that the slope faces'),
      WayNumber: integer,
      Number: text,
      AgeFrom: note(integer, 'Years'),
      AgeTo: note(integer, 'Years'),
      CopyrightChecked: flag,
      AdditionalProperties: additionalProperties,
      ...deprecatedMembers(naming),
    }),
  })
