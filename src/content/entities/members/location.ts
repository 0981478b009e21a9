import { note, number, object, perLanguage, text } from './values.ts'

const place = object({ Id: text, Name: perLanguage(text), Self: text })

/** The regions that the record lies in, from large to small. */
export const location = object({
  RegionInfo: place,
  TvInfo: note(place, 'Tourism association'),
  MunicipalityInfo: place,
  DistrictInfo: place,
  AreaInfo: place,
})

export const distances = object({
  DistanceToMunicipality: note(number, 'To the centre of the municipality, metres'),
  DistanceToDistrict: note(number, 'To the centre of the district, metres'),
})
