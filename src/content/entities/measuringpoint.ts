import { defineEntity } from '../entity.ts'
import { measuringpointColumns, measuringpointFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { shortDetail } from './members/detail.ts'
import { positions, positionsByType } from './members/gps.ts'
import { links } from './members/links.ts'
import { distances, location } from './members/location.ts'
import { integerOrText, list, moment, note, perLanguage, text, texts } from './members/values.ts'

const observations = list({
  Id: text,
  Date: moment,
  WeatherStatus: perLanguage(text),
  WeatherCode: text,
  IconID: integerOrText,
})

/** Snow and weather stations of ski areas (decision D37). */
export const measuringpoint = (naming: Naming) =>
  defineEntity({
    name: 'Measuringpoint',
    path: 'Weather/Measuringpoint',
    summary: 'Snow and weather stations of ski areas',
    idStyle: 'upper',
    titles: ['Shortname'],
    columns: measuringpointColumns,
    filters: measuringpointFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'Measuringpoint', {
      Detail: shortDetail,
      LastUpdate: note(moment, 'When it was measured'),
      SnowHeight: note(text, 'Centimetres'),
      newSnowHeight: note(text, 'Centimetres of new snow'),
      Temperature: note(text, '°C'),
      LastSnowDate: moment,
      WeatherObservation: observations,
      AreaIds: texts,
      SkiAreaIds: texts,
      Areas: links,
      SkiAreas: links,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      GpsPoints: positionsByType,
    }),
  })
