import { defineEntity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { tourismSchema } from './base.ts'
import { contacts } from './members/contact.ts'
import { detail } from './members/detail.ts'
import { positions, positionsByType } from './members/gps.ts'
import { links } from './members/links.ts'
import { images, videos } from './members/media.ts'
import { flag, list, moment, note, object, perLanguage, text, texts } from './members/values.ts'

const camera = object({
  WebcamUrl: note(text, 'Address of the latest picture'),
  StreamUrl: note(text, 'Address of the live view'),
  PreviewUrl: text,
  ViewAngleDegree: note(text, 'Width of the view, degrees'),
  ZeroDirection: note(text, 'Where the middle of the view points'),
  HtmlEmbed: text,
  TourCam: flag,
  HasVR: flag,
  ViewerType: text,
})

/** Webcam streams and metadata (interface 2.3). */
export const webcamInfo = (naming: Naming) =>
  defineEntity({
    name: 'WebcamInfo',
    type: 'webcam',
    summary: 'Webcams: where they stand and what they show',
    idStyle: 'upper',
    titles: ['Detail.*.Title'],
    schema: tourismSchema(naming, 'WebcamInfo', {
      Detail: detail,
      WebCamProperties: camera,
      ContactInfos: contacts,
      ImageGallery: images,
      VideoItems: videos,
      GpsInfo: positions,
      AreaIds: texts,
      Areas: links,
      WebcamAssignedOn: note(
        list({ Type: text, Id: text, LastChange: moment }),
        'Records that show this webcam',
      ),
      Webcamname: perLanguage(text),
      Webcamurl: text,
      Streamurl: text,
      Previewurl: text,
      GpsPoints: positionsByType,
    }),
  })
