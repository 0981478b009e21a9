import { keyed, list, note, text, texts } from './values.ts'

/** The tags of a record, as they stand in the list of tags. */
export const tags = note(
  list({
    Id: text,
    Source: text,
    Self: text,
    Type: text,
    Name: text,
    TagEntry: note(keyed(text), 'What the tag says about this very record'),
  }),
  'Tags of the record, generated from TagIds',
)

export const tagIds = note(texts, 'Identifiers of /v1/Tag; lower case, case-sensitive')
