import {
  flag,
  integer,
  integerOrText,
  list,
  moment,
  note,
  number,
  perLanguage,
  text,
  texts,
} from './values.ts'

/** Pictures. Each has its own licence, which may differ from that of the record. */
export const images = list({
  ImageName: text,
  ImageUrl: text,
  Width: note(integer, 'Pixels'),
  Height: note(integer, 'Pixels'),
  ImageSource: text,
  ImageTitle: perLanguage(text),
  ImageDesc: perLanguage(text),
  ImageAltText: perLanguage(text),
  IsInGallery: flag,
  ListPosition: integer,
  ValidFrom: moment,
  ValidTo: moment,
  CopyRight: text,
  License: text,
  LicenseHolder: text,
  ImageTags: texts,
})

/** Videos per language. */
export const videos = perLanguage(
  list({
    Language: text,
    Name: text,
    Url: text,
    VideoSource: text,
    VideoType: text,
    StreamingSource: text,
    VideoTitle: text,
    VideoDesc: text,
    Active: flag,
    CopyRight: text,
    License: text,
    LicenseHolder: text,
    Width: note(integerOrText, 'Pixels'),
    Height: note(integerOrText, 'Pixels'),
    Definition: text,
    Duration: note(number, 'Seconds'),
    Resolution: integer,
    Bitrate: integer,
  }),
)

/** Documents to download, per language. */
export const documents = perLanguage(
  list({ Language: text, DocumentName: text, DocumentURL: text }),
)
