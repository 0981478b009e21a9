import type { ContentItem } from '../canonical.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { drawFor, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { compose, fill, placeTexts } from '../phrase.ts'
import type { Collection } from './record.ts'
import { scheduleOf } from './events.ts'
import {
  baseOf,
  contactInfosOf,
  contactOf,
  detailOf,
  gpsOf,
  imageKey,
  imageUrl,
  imagesOf,
  inLanguagesOf,
  tagsOf,
} from './record.ts'
import { areaId, areaNearby } from './regions.ts'
import {
  locationOf,
  skiAreaCount,
  skiAreaId,
  skiAreasPerRegion,
  skiMunicipalities,
  skiRegionId,
} from './territory.ts'
import { demoTexts } from '../texts.ts'

export function skiAreas(setting: Setting): Collection {
  return { entity: 'SkiArea', count: skiAreaCount, item: (index) => toArea(setting, index) }
}

export function skiRegions(setting: Setting): Collection {
  const count = skiAreaCount / skiAreasPerRegion
  return { entity: 'SkiRegion', count, item: (index) => toRegion(setting, index) }
}

function toArea(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'ski-area', index)
  const id = skiAreaId(setting, index)
  const municipality = at(skiMunicipalities(setting), index)
  const site = municipality.siteIn(random, 'mountain')
  const top = Math.max(site.altitude, 2100) + random.between(0, 300)
  const name = fill(demoTexts.landscapes.skiAreaName, { place: placeTexts(municipality.place) })
  const intro = fill(random.pick(demoTexts.landscapes.shorts), { name })
  const base = compose(random, [demoTexts.landscapes.skiTexts], { name, top })
  const location = locationOf(setting, municipality, 0)
  const region = Math.floor(index / skiAreasPerRegion)
  return {
    ...baseOf(setting, { id, source: 'lifts', name, random }),
    ...tagsOf(['ski areas']),
    Detail: detailOf({ title: inLanguagesOf(intro, name), base, intro }),
    ContactInfos: contactInfosOf(contactOf(random, municipality, name['de'] ?? ''), name),
    ImageGallery: imagesOf(setting, { kind: 'ski', id, name, count: 2 }),
    SkiAreaMapURL: imageUrl(setting, imageKey('ski', id, 1)),
    GpsInfo: gpsOf(site),
    ...slopesOf(random),
    ...{ AltitudeFrom: municipality.place.altitude, AltitudeTo: top, AreaRadius: '5000' },
    SkiRegionId: skiRegionId(setting, region),
    SkiRegionName: fill(at(demoTexts.landscapes.skiRegionNames, region)),
    LocationInfo: location,
    AreaIds: [areaId(setting, areaNearby(municipality.index))],
    RegionIds: [location.RegionInfo.Id],
    TourismvereinIds: [location.TvInfo.Id],
    MunicipalityIds: [location.MunicipalityInfo.Id],
    DistrictIds: [location.DistrictInfo.Id],
    OperationSchedule: scheduleOf(random, 'winter', yearOf(setting)),
  }
}

/** Kilometres by difficulty: blue easy, red medium, black hard. Numbers are text here. */
function slopesOf(random: Random) {
  const [blue, red, black] = [random.between(4, 25), random.between(6, 40), random.between(0, 15)]
  return {
    TotalSlopeKm: String(blue + red + black),
    SlopeKmBlue: String(blue),
    SlopeKmRed: String(red),
    SlopeKmBlack: String(black),
    LiftCount: String(random.between(4, 28)),
  }
}

function toRegion(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'ski-region', index)
  const id = skiRegionId(setting, index)
  const name = fill(at(demoTexts.landscapes.skiRegionNames, index))
  const base = compose(random, [demoTexts.landscapes.skiTexts], {
    name,
    top: random.between(24, 31) * 100,
  })
  const first = at(skiMunicipalities(setting), index * skiAreasPerRegion)
  return {
    ...baseOf(setting, { id, source: 'lifts', name, random }),
    Detail: detailOf({ title: name, base }),
    GpsInfo: gpsOf(first.centre),
    ImageGallery: imagesOf(setting, { kind: 'ski', id, name, count: 1 }),
  }
}
