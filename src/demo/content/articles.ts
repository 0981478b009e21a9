import type { ContentItem } from '../canonical.ts'
import { dateTimeOf, day, drawFor, idOf, lastMidnight, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { compose, fill, perLanguage, placeTexts } from '../phrase.ts'
import type { Phrase } from '../phrase.ts'
import { accommodationId } from './accommodations.ts'
import { areaId, areaNearby } from './regions.ts'
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
import type { Collection } from './record.ts'
import { demoTexts } from '../texts.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { scheduleOf } from './events.ts'
import {
  locationOf,
  skiAreaCount,
  skiAreaId,
  skiAreasPerRegion,
  skiMunicipalities,
  skiRegionId,
} from './territory.ts'

/** Returns stories. Each one recommends a house; there are always more houses than stories. */
export function articles(setting: Setting, count: number): Collection {
  return { entity: 'Article', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'article', index)
  const municipality = setting.geography.somewhere(random)
  const family = random.pick(demoTexts.names.families)
  const mark = fill(random.pick(demoTexts.names.landmarks))
  const slots = { family, mark, place: placeTexts(municipality.place) }
  const name = fill(random.pick(demoTexts.happenings.articleNames), slots)
  const base = compose(
    random,
    [demoTexts.happenings.articleTexts, demoTexts.outdoors.gettingThere],
    slots,
  )
  const id = idOf(setting, 'Article', index)
  const written = lastMidnight(setting) - random.between(0, 500) * day
  return {
    ...baseOf(setting, { id, source: 'idm', name, random }),
    ...tagsOf(['editorial']),
    Type: 'newsfeed',
    SubType: 'story',
    ArticleDate: dateTimeOf(written),
    ArticleDateTo: dateTimeOf(written + 365 * day),
    Highlight: random.chance(0.2),
    Detail: detailOf({ title: name, base }),
    AdditionalArticleInfos: perLanguage(base, (language) => ({
      Language: language,
      Elements: { author: family },
    })),
    ContactInfos: contactInfosOf(contactOf(random, municipality, name['de'] ?? ''), name),
    GpsInfo: gpsOf(municipality.siteIn(random, 'village')),
    ImageGallery: imagesOf(setting, { kind: 'article', id, name, count: random.between(1, 3) }),
    RelatedContent: [{ Id: accommodationId(setting, index), Type: 'accommodation' }],
  }
}

export function wineAwards(setting: Setting, count: number): Collection {
  return { entity: 'WineAward', count, item: (index) => toWineAward(setting, index) }
}

function toWineAward(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'wine-award', index)
  const id = idOf(setting, 'WineAward', index).toLowerCase()
  const vintage = yearOf(setting) - random.between(1, 6)
  const slots = {
    stem: random.pick(demoTexts.names.houseStems),
    grape: fill(random.pick(grapeNames)),
    vintage,
  }
  const name = fill(
    {
      de: '{grape} {stem} {vintage}',
      it: '{grape} {stem} {vintage}',
      en: '{grape} {stem} {vintage}',
    },
    slots,
  )
  return {
    ...baseOf(setting, { id, source: 'wine', name, random }),
    Detail: detailOf({ title: name, base: compose(random, [wineTexts], slots) }),
    Vintage: vintage,
    Awardyear: vintage + 1,
    Awards: random.some(awardNames, random.between(1, 2)),
    CustomId: `wine-${index + 1}`,
    ImageGallery: imagesOf(setting, { kind: 'wine', id, name, count: 1 }),
  }
}

/** Wines and their descriptions. */

const grapeNames: readonly Phrase[] = [
  { de: 'Vernatsch', it: 'Schiava', en: 'Schiava' },
  { de: 'Lagrein', it: 'Lagrein', en: 'Lagrein' },
  { de: 'Weißburgunder', it: 'Pinot bianco', en: 'Pinot Blanc' },
  { de: 'Gewürztraminer', it: 'Gewürztraminer', en: 'Gewürztraminer' },
  { de: 'Blauburgunder', it: 'Pinot nero', en: 'Pinot Noir' },
  { de: 'Sylvaner', it: 'Sylvaner', en: 'Sylvaner' },
]

const awardNames: readonly string[] = ['Gold', 'Silver', 'Five Grapes', 'Golden Barrel']

const wineTexts: readonly Phrase[] = [
  {
    de: '{grape} vom Jahrgang {vintage}: klar, würzig und lang im Abgang.',
    it: '{grape} dell’annata {vintage}: nitido, speziato e persistente.',
    en: '{grape} of the {vintage} vintage: clear, spicy and long on the palate.',
  },
  {
    de: 'Ein {grape} zu Speck und langen Abenden.',
    it: 'Un {grape} per lo speck e le lunghe serate.',
    en: 'A {grape} for cured ham and long evenings.',
  },
]

export function webcams(setting: Setting, count: number): Collection {
  return { entity: 'WebcamInfo', count, item: (index) => toWebcam(setting, index) }
}

const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const
const angles = ['60', '90', '120', '180', '360'] as const

function toWebcam(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'webcam', index)
  const municipality = setting.geography.somewhere(random)
  const mark = fill(random.pick(demoTexts.names.landmarks))
  const slots = { mark, place: placeTexts(municipality.place) }
  const name = fill(random.pick(demoTexts.happenings.webcamNames), slots)
  const id = idOf(setting, 'WebcamInfo', index)
  const picture = imageUrl(setting, imageKey('webcam', id, 1))
  const source = random.chance(0.3) ? 'lifts' : 'panocams'
  const whereabouts = random.chance(0.5) ? 'village' : 'mountain'
  return {
    ...baseOf(setting, { id, source, name, random }),
    ...tagsOf(['panorama']),
    Detail: detailOf({
      title: name,
      base: fill(random.pick(demoTexts.outdoors.gettingThere), slots),
    }),
    WebCamProperties: {
      ...{ WebcamUrl: picture, PreviewUrl: picture, StreamUrl: null },
      ViewAngleDegree: random.pick(angles),
      ZeroDirection: random.pick(directions),
      ...{ TourCam: random.chance(0.2), HasVR: false, ViewerType: 'image' },
    },
    GpsInfo: gpsOf(municipality.siteIn(random, whereabouts)),
    AreaIds: [areaId(setting, areaNearby(municipality.index))],
    ImageGallery: imagesOf(setting, { kind: 'webcam', id, name, count: 1 }),
    ContactInfos: contactInfosOf(contactOf(random, municipality, name['de'] ?? ''), name),
  }
}

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

/**
 * Returns kilometres of slopes by difficulty: blue is easy, red medium, black difficult. Numbers
 * are texts here.
 */
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
