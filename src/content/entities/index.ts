import { withDeprecations } from '../deprecations/apply.ts'
import type { Entity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { accommodationRoom } from './accommodation-room.ts'
import { accommodation } from './accommodation.ts'
import { activityPoi } from './activity-poi.ts'
import { announcement } from './announcement.ts'
import { area } from './area.ts'
import { article } from './article.ts'
import { district } from './district.ts'
import { eventShort } from './event-short.ts'
import { event } from './event.ts'
import { experienceArea } from './experience-area.ts'
import { geoShape } from './geo-shape.ts'
import { measuringpoint } from './measuringpoint.ts'
import { metaData } from './meta-data.ts'
import { metaRegion } from './meta-region.ts'
import { municipality } from './municipality.ts'
import { publisher } from './publisher.ts'
import { region } from './region.ts'
import { skiArea } from './ski-area.ts'
import { skiRegion } from './ski-region.ts'
import { source } from './source.ts'
import { tag } from './tag.ts'
import { tourismAssociation } from './tourism-association.ts'
import { venue } from './venue.ts'
import { weatherDistrict } from './weather-district.ts'
import { weatherForecast } from './weather-forecast.ts'
import { weatherRealtime } from './weather-realtime.ts'
import { weather } from './weather.ts'
import { webcamInfo } from './webcam-info.ts'
import { wineAward } from './wine-award.ts'

/** In the order of interface 2.3; a new entity is one new file and one line here. */
const definitions: readonly ((naming: Naming) => Entity)[] = [
  accommodation,
  accommodationRoom,
  activityPoi,
  event,
  eventShort,
  article,
  webcamInfo,
  venue,
  weather,
  weatherDistrict,
  weatherForecast,
  weatherRealtime,
  measuringpoint,
  metaRegion,
  region,
  experienceArea,
  municipality,
  district,
  area,
  skiArea,
  skiRegion,
  tourismAssociation,
  wineAward,
  metaData,
  tag,
  source,
  publisher,
  geoShape,
]

/** Every entity of the content service that records are pushed into. */
export function entitiesOf(naming: Naming): readonly Entity[] {
  return definitions.map((define) => withDeprecations(define(naming), naming))
}

/** Entities whose records follow from other data: they are read like all others, and never written. */
export function viewsOf(naming: Naming): readonly Entity[] {
  return [withDeprecations(announcement(), naming)]
}
