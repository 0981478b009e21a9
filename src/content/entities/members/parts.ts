import { Type } from 'typebox'
import { form } from '../../../errors/index.ts'
import { labelled } from '../../presentation.ts'
import {
  flag,
  integer,
  integerOrText,
  keyed,
  list,
  moment,
  note,
  number,
  object,
  perLanguage,
  text,
  texts,
  timeOfDay,
  title,
} from './values.ts'

/** Interface 2.2, and the record of who saved last. The hub writes it on every save. */
export const meta = note(
  object({
    Id: note(text, 'Unique record identifier'),
    Type: note(text, 'Type of the record, such as accommodation'),
    Source: note(text, 'Origin of the data, such as lts or idm'),
    LastUpdate: note(moment, 'Time of the last save; import time, not change of content'),
    LastChange: note(moment, 'Time of the last save that changed the content'),
    Generated: note(texts, 'Fields generated from others; generated again on every save'),
    Reduced: note(flag, 'Whether fields are left out for this caller'),
    UpdateInfo: object({
      UpdatedBy: text,
      UpdateSource: text,
      Revision: integer,
      UpdateHistory: list({ LastUpdate: moment, UpdateSource: text, UpdatedBy: text }),
    }),
  }),
  'Metadata of the record',
)

/** Characters of an identifier. */
export const longestId = 200

/** Without control characters, and more than blanks, of no width either. */
export const visibleText =
  /^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2060-\u2064][^\u0000-\u001f\u007f-\u009f]*$/

const visible = form(visibleText.source, 'has control characters, or only blanks')

/** The weather service numbers its bulletins and districts; the number stays one in the record. */
export const numberIdentifier = Type.Unsafe<unknown>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: longestId,
  ...visible,
})

/** Identifiers are 1 to 200 visible characters; `toEntityId` says in which letter case. */
export const identifier = Type.String({
  minLength: 1,
  maxLength: longestId,
  ...visible,
})

/** Under which terms a record may be used, and who holds the rights. */
export const licence = object({
  License: labelled(
    note(text, 'Such as CC0; Closed for closed data'),
    ['Lizenz', 'Licenza', 'Licence'],
    'licence',
  ),
  LicenseHolder: note(text, 'Address of the provider'),
  Author: text,
  ClosedData: note(flag, 'Whether only callers with a role for it see the record'),
})

const target = { Id: text, Self: text }

/** A link to another record, generated from its identifier. */
export const link = object(target)
export const links = list(target)

/** Links into a tree of types; `Type` names the level. */
export const typeLinks = list({ ...target, Type: text })

/** The tags of a record, as they stand in the list of tags. */
export const tags = note(
  list({
    Id: text,
    Source: text,
    Self: text,
    Type: text,
    Name: text,
    TagEntry: note(keyed(text), 'What the tag states about this record'),
  }),
  'Tags of the record, generated from TagIds',
)

export const tagIds = note(texts, 'Identifiers of /v1/Tag; lower case, case-sensitive')

export const inShort = labelled(text, ['In Kürze', 'In breve', 'In short'], 'introduction')
export const longText = labelled(text, ['Text', 'Testo', 'Text'], 'text')

/** For search engines. */
export const metaTitle = labelled(text, [
  'Titel für Suchmaschinen',
  'Titolo per i motori di ricerca',
  'Title for search engines',
])
export const metaDescription = labelled(text, [
  'Beschreibung für Suchmaschinen',
  'Descrizione per i motori di ricerca',
  'Description for search engines',
])

/** Titles and texts per language. Texts may hold HTML. */
export const detail = perLanguage(
  object({
    Language: text,
    Title: title,
    Header: labelled(text, ['Überschrift', 'Intestazione', 'Heading'], 'introduction'),
    SubHeader: labelled(text, ['Unterzeile', 'Sottotitolo', 'Subheading'], 'introduction'),
    IntroText: labelled(text, ['Einleitung', 'Introduzione', 'Introduction'], 'introduction'),
    BaseText: longText,
    AdditionalText: labelled(text, ['Weiterer Text', 'Altro testo', 'Further text'], 'text'),
    GetThereText: labelled(text, ['Anfahrt', 'Come arrivare', 'Getting there'], 'text'),
    ParkingInfo: labelled(text, ['Parken', 'Parcheggio', 'Parking'], 'text'),
    PublicTransportationInfo: labelled(
      text,
      ['Mit Bus und Bahn', 'Con i mezzi pubblici', 'By public transport'],
      'text',
    ),
    AuthorTip: labelled(text, ['Tipp', 'Consiglio', 'Tip'], 'text'),
    SafetyInfo: labelled(text, ['Sicherheit', 'Sicurezza', 'Safety'], 'text'),
    EquipmentInfo: labelled(text, ['Ausrüstung', 'Attrezzatura', 'Equipment'], 'text'),
    MetaTitle: metaTitle,
    MetaDesc: metaDescription,
    Keywords: texts,
  }),
)

/** The short form, for what has no texts beyond a title. */
export const shortDetail = perLanguage(object({ Language: text, Title: title, BaseText: longText }))

const theme = object({ Title: text, Intro: text, MetaTitle: text, MetaDesc: text })

/** Further titles, one set for each theme of the region's marketing. */
export const themedDetail = perLanguage(
  object({ Language: text, DetailsThemed: note(keyed(theme), 'Keyed by theme') }),
)

const contact = object({
  Language: text,
  CompanyName: text,
  NamePrefix: text,
  Givenname: text,
  Surname: text,
  Address: text,
  ZipCode: text,
  City: text,
  Area: text,
  Region: text,
  RegionCode: text,
  CountryCode: text,
  CountryName: text,
  Phonenumber: text,
  Faxnumber: text,
  Email: text,
  Url: text,
  LogoUrl: text,
  Vat: text,
  Tax: text,
})

/** Contact, per language. */
export const contacts = perLanguage(contact)

/** Pictures. Each has its own licence, which may differ from that of the record. */
export const images = list({
  ImageName: text,
  ImageUrl: labelled(text, ['Bild', 'Immagine', 'Picture'], 'image'),
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

const hours = list({
  Start: timeOfDay,
  End: timeOfDay,
  Monday: flag,
  Tuesday: flag,
  Wednesday: flag,
  Thursday: flag,
  Thuresday: flag,
  Friday: flag,
  Saturday: flag,
  Sunday: flag,
  State: note(integer, '0 undefined, 1 closed, 2 open'),
  Timecode: note(integer, '1 general opening, 2 warm meals, 3 pizza, 4 snacks'),
})

/** When it is open: seasons, and the hours within them. */
export const schedule = list({
  OperationscheduleName: perLanguage(text),
  Start: moment,
  Stop: moment,
  Type: note(text, '1: these dates; 2: day and month, every year; 3: a season, only months count'),
  OperationScheduleTime: hours,
})
