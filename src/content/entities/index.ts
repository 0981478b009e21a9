import { withDeprecations } from '../deprecations/annotate.ts'
import type { Entity, Profile } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { accommodation, accommodationRoom } from './accommodation.ts'
import { activityPoi } from './activity-poi.ts'
import { metaData, publisher, source, tag } from './catalogues.ts'
import { announcement, article, wineAward } from './editorial.ts'
import { event, eventShort } from './event.ts'
import {
  area,
  district,
  experienceArea,
  geoShape,
  metaRegion,
  municipality,
  region,
  skiArea,
  skiRegion,
  tourismAssociation,
  venue,
  webcamInfo,
} from './places.ts'
import {
  measuringpoint,
  weather,
  weatherDistrict,
  weatherForecast,
  weatherRealtime,
} from './weather.ts'

/** Definitions in the order of interface 2.3. A new entity is one new file and one line here. */
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

/**
 * Returns every entity of the content service that records can be pushed into. In the compatible
 * profile tags keep the letter case of their source, as in the public system.
 */
export function entitiesOf(naming: Naming, profile: Profile = 'strict'): readonly Entity[] {
  const tagCase = profile === 'strict' ? 'lower' : 'any'
  return definitions.map((define) => withDeprecations({ ...define(naming), tagCase }, naming))
}

/**
 * Returns the entities whose records are derived from other data. They are read like all others,
 * but never written.
 */
export function viewsOf(naming: Naming): readonly Entity[] {
  return [withDeprecations(announcement(), naming)]
}
