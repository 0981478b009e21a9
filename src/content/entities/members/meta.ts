import { Type } from 'typebox'
import { form } from '../../../errors/index.ts'
import { flag, integer, list, moment, note, object, text, texts } from './values.ts'

/** Interface 2.2, and the record of who saved last. The hub writes it on every save. */
export const meta = note(
  object({
    Id: note(text, 'Unique record identifier'),
    Type: note(text, 'Type of the record, such as accommodation'),
    Source: note(text, 'Origin of the data, such as lts or idm'),
    LastUpdate: note(moment, 'Time of the last save; import time, not change of content'),
    LastChange: note(moment, 'Time of the last save that changed the content'),
    Generated: note(texts, 'Members that were made from others; they are made anew on every save'),
    Reduced: note(flag, 'Whether members are left out for this caller'),
    UpdateInfo: object({
      UpdatedBy: text,
      UpdateSource: text,
      Revision: integer,
      UpdateHistory: list({ LastUpdate: moment, UpdateSource: text, UpdatedBy: text }),
    }),
  }),
  'About the record as a record',
)

/** Characters of an identifier. */
export const longestId = 200

/** Without control characters, and more than blanks. */
export const visibleText =
  /^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$/

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
