import { Type } from 'typebox'
import { form } from '../../../errors/index.ts'
import { labelled, part, withRole } from '../../presentation.ts'
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

/** Metadata of a record (interface 2.2), and who saved it last. The hub writes it on every save. */
export const meta = withRole(
  note(
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
  ),
  'meta',
)

/** Maximum number of characters in an identifier. */
export const maxIdLength = 200

/**
 * Text without control characters that has at least one visible character. Neither spaces nor
 * zero-width characters are visible.
 */
export const visibleText =
  /^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2060-\u2064][^\u0000-\u001f\u007f-\u009f]*$/

/** Clients and servers resolve `.` and `..` in paths, so such a record could never be read. */
const visible = form(
  String.raw`^(?!\.{1,2}$)${visibleText.source.slice(1)}`,
  'has control characters, is only blanks, or is . or .., which paths cannot contain',
)

/**
 * Identifier of bulletins and districts, which the weather service numbers. A number remains a
 * number in the record.
 */
export const numberIdentifier = Type.Unsafe<unknown>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: maxIdLength,
  ...visible,
})

/** Identifier of 1 to 200 visible characters. `toEntityId` determines its letter case. */
export const identifier = Type.String({
  minLength: 1,
  maxLength: maxIdLength,
  ...visible,
})

/** Terms under which a record may be used, and who holds the rights. */
export const licence = withRole(
  object({
    License: part(
      labelled(
        note(text, 'Such as CC0; Closed for closed data'),
        ['Lizenz', 'Licenza', 'Licence'],
        'licence',
      ),
      'licence',
    ),
    LicenseHolder: part(note(text, 'Address of the provider'), 'holder'),
    Author: part(text, 'author'),
    ClosedData: part(
      note(flag, 'Whether only callers with a role for it see the record'),
      'closed',
    ),
  }),
  'terms',
)

const target = { Id: text, Self: text }

/** Link to another record, generated from its identifier. */
export const link = object(target)
export const links = list(target)

/** Links into a tree of types. `Type` is the name of the level. */
export const typeLinks = list({ ...target, Type: text })

/** Tags of a record, with fields from the list of tags. */
export const tags = withRole(
  note(
    list({
      Id: part(text, 'id'),
      Source: text,
      Self: text,
      Type: text,
      Name: part(text, 'name'),
      TagEntry: note(keyed(text), 'What the tag states about this record'),
    }),
    'Tags of the record, generated from TagIds',
  ),
  'tag',
)

export const tagIds = withRole(
  note(texts, 'Identifiers of /v1/Tag; lower case, case-sensitive'),
  'tag',
)

export const inShort = labelled(text, ['In Kürze', 'In breve', 'In short'], 'introduction')
export const longText = labelled(text, ['Text', 'Testo', 'Text'], 'text')

/** Title and description for search engines. */
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

/** Titles and texts by language. Texts may contain HTML. */
export const detail = perLanguage(
  withRole(
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
    'texts',
  ),
)

/** Short form of `detail`, for records with few texts besides a title. */
export const shortDetail = perLanguage(
  withRole(object({ Language: text, Title: title, BaseText: longText }), 'texts'),
)

const theme = object({ Title: text, Intro: text, MetaTitle: text, MetaDesc: text })

/** Further titles, one set for each theme of the region's marketing. */
export const themedDetail = perLanguage(
  object({ Language: text, DetailsThemed: note(keyed(theme), 'Keyed by theme') }),
)

const contact = object({
  Language: text,
  CompanyName: part(text, 'name'),
  NamePrefix: text,
  Givenname: part(text, 'givenName'),
  Surname: part(text, 'familyName'),
  Address: part(text, 'street'),
  ZipCode: part(text, 'postcode'),
  City: part(text, 'town'),
  Area: text,
  Region: text,
  RegionCode: text,
  CountryCode: text,
  CountryName: part(text, 'country'),
  Phonenumber: part(text, 'phone'),
  Faxnumber: text,
  Email: part(text, 'email'),
  Url: part(text, 'site'),
  LogoUrl: text,
  Vat: text,
  Tax: text,
})

/** Label of contacts. */
export const contactLabel = ['Kontakt', 'Contatto', 'Contact'] as const

/** Contact by language. */
export const contacts = perLanguage(labelled(contact, contactLabel, 'contact'))

/** Organizer of an event, by language. */
export const organisers = perLanguage(
  labelled(contact, ['Veranstalter', 'Organizzatore', 'Organiser'], 'contact'),
)

/** Pictures. Each has its own licence, which may differ from that of the record. */
export const images = withRole(
  list({
    ImageName: text,
    ImageUrl: part(labelled(text, ['Bild', 'Immagine', 'Picture'], 'image'), 'url'),
    Width: part(note(integer, 'Pixels'), 'width'),
    Height: part(note(integer, 'Pixels'), 'height'),
    ImageSource: text,
    ImageTitle: perLanguage(part(text, 'title')),
    ImageDesc: perLanguage(part(text, 'caption')),
    ImageAltText: perLanguage(part(text, 'alt')),
    IsInGallery: flag,
    ListPosition: part(integer, 'position'),
    ValidFrom: moment,
    ValidTo: moment,
    CopyRight: part(text, 'author'),
    License: part(text, 'licence'),
    LicenseHolder: part(text, 'holder'),
    ImageTags: texts,
  }),
  'picture',
)

/** Videos by language. */
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

/** Documents to download, by language. */
export const documents = perLanguage(
  list({ Language: text, DocumentName: text, DocumentURL: text }),
)

const hours = list({
  Start: part(timeOfDay, 'start'),
  End: part(timeOfDay, 'end'),
  Monday: part(flag, 'monday'),
  Tuesday: part(flag, 'tuesday'),
  Wednesday: part(flag, 'wednesday'),
  Thursday: part(flag, 'thursday'),
  Thuresday: flag,
  Friday: part(flag, 'friday'),
  Saturday: part(flag, 'saturday'),
  Sunday: part(flag, 'sunday'),
  State: part(note(integer, '0 undefined, 1 closed, 2 open'), 'state'),
  Timecode: part(note(integer, '1 general opening, 2 warm meals, 3 pizza, 4 snacks'), 'code'),
})

/** Opening times: seasons, and the hours within them. */
export const schedule = withRole(
  list({
    OperationscheduleName: perLanguage(part(text, 'name')),
    Start: part(moment, 'start'),
    Stop: part(moment, 'end'),
    Type: part(
      note(text, '1: these dates; 2: day and month, every year; 3: a season, only months count'),
      'repeats',
    ),
    OperationScheduleTime: part(hours, 'hours'),
  }),
  'opening',
)
