import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { positionsByType } from './members/gps.ts'
import { link, links } from './members/links.ts'
import { location } from './members/location.ts'
import { regionMembers } from './members/region.ts'
import { schedule } from './members/schedule.ts'
import { integer, note, perLanguage, text, texts } from './members/values.ts'

const slopes = {
  TotalSlopeKm: note(text, 'Kilometres of slopes'),
  SlopeKmBlue: note(text, 'Kilometres of easy slopes'),
  SlopeKmRed: note(text, 'Kilometres of slopes of medium difficulty'),
  SlopeKmBlack: note(text, 'Kilometres of difficult slopes'),
  LiftCount: text,
  AltitudeFrom: note(integer, 'Metres above sea level'),
  AltitudeTo: note(integer, 'Metres above sea level'),
  SkiAreaMapURL: text,
  AreaRadius: note(text, 'Metres'),
}

/** The regions that the ski area reaches into. */
const within = {
  SkiRegionId: text,
  SkiRegionName: perLanguage(text),
  SkiRegion: link,
  RegionIds: texts,
  Regions: links,
  TourismvereinIds: note(texts, 'Tourism associations'),
  TourismAssociations: links,
  MunicipalityIds: texts,
  Municipalities: links,
  DistrictIds: texts,
  Districts: links,
  AreaIds: texts,
  Areas: links,
  LocationInfo: location,
}

/** Ski areas (interface 2.3); `ska` in area filters. */
export const skiArea = (naming: Naming) =>
  defineEntity({
    name: 'SkiArea',
    summary: 'Ski areas',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    isBareList: true,
    schema: tourismSchema(naming, 'SkiArea', {
      ...regionMembers,
      ...slopes,
      ...within,
      OperationSchedule: schedule,
      AreaId: texts,
      GpsPoints: positionsByType,
    }),
  })
