import type { ContentItem } from '../canonical.ts'
import { drawFor, idOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { webcamNames } from '../texts/happenings.ts'
import { landmarks } from '../texts/names.ts'
import { gettingThere } from '../texts/outdoors.ts'
import { fill, placeTexts } from '../texts/phrase.ts'
import { areaId, areaNearby } from './areas.ts'
import type { Collection } from './collection.ts'
import {
  baseOf,
  contactInfosOf,
  contactOf,
  detailOf,
  gpsOf,
  imageKey,
  imagesOf,
  imageUrl,
  tagsOf,
} from './record.ts'

export function webcams(setting: Setting, count: number): Collection {
  return { entity: 'WebcamInfo', count, item: (index) => toRecord(setting, index) }
}

const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const
const angles = ['60', '90', '120', '180', '360'] as const

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'webcam', index)
  const municipality = setting.geography.somewhere(random)
  const mark = fill(random.pick(landmarks))
  const slots = { mark, place: placeTexts(municipality.place) }
  const name = fill(random.pick(webcamNames), slots)
  const id = idOf(setting, 'WebcamInfo', index)
  const picture = imageUrl(setting, imageKey('webcam', id, 1))
  const source = random.chance(0.3) ? 'lifts' : 'panocams'
  const whereabouts = random.chance(0.5) ? 'village' : 'mountain'
  return {
    ...baseOf(setting, { id, source, name, random }),
    ...tagsOf(['panorama']),
    Detail: detailOf({ title: name, base: fill(random.pick(gettingThere), slots) }),
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
