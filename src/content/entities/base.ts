import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import type { RecordSchema } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { labelled, part, withRole } from '../presentation.ts'
import { identifier, licence, links, meta, tagIds, tags } from './members/parts.ts'
import { flag, keyed, list, moment, note, object, text, texts } from './members/values.ts'

/**
 * Returns a record schema: the fields that every record has, and those of the entity. Unknown
 * fields are kept.
 */
export function recordSchema(id: string, members: TProperties): RecordSchema {
  const base = {
    Id: withRole(identifier, 'id'),
    _Meta: meta,
    Self: withRole(note(text, 'URL of the record'), 'address'),
    LicenseInfo: licence,
    Shortname: withRole(text, 'name'),
    Active: labelled(
      note(flag, 'Whether the record is active at the source'),
      ['Aktiv', 'Attivo', 'Active'],
      'status',
    ),
    FirstImport: withRole(moment, 'imported'),
    LastChange: labelled(
      note(moment, 'Time of the last change of content'),
      ['Geändert', 'Modificato', 'Changed'],
      'changed',
    ),
    HasLanguage: withRole(note(texts, 'Languages in which the record has texts'), 'language'),
    Source: labelled(note(text, 'One of /v1/Source'), ['Quelle', 'Fonte', 'Source'], 'source'),
    PublishedOn: withRole(
      note(texts, 'Identifiers of /v1/Publisher that show the record'),
      'publisher',
    ),
    Mapping: note(keyed(keyed(text)), 'Identifiers at other systems: provider, key, value'),
  }
  const schema = Type.Object({ ...base, ...members }, { additionalProperties: true })
  return Object.assign(schema, { $id: id })
}

/**
 * Returns the schema of a record that is of interest to visitors: with tags, related records, and
 * flags whether it is shown (reference content.md 7.0).
 */
export function tourismSchema(naming: Naming, id: string, members: TProperties): RecordSchema {
  return recordSchema(id, {
    TagIds: tagIds,
    Tags: tags,
    [naming.tags]: note(links, 'Tags of the recommended system'),
    [naming.active]: note(flag, 'Whether the record is active on the platform'),
    SmgTags: withRole(texts, 'tag'),
    SmgActive: flag,
    RelatedContent: withRole(
      list({ Id: part(text, 'id'), Type: part(text, 'type'), Self: text }),
      'related',
    ),
    AdditionalProperties: note(keyed(object({})), 'Data specific to one provider, keyed by schema'),
    ...members,
  })
}
