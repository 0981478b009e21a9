import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import type { RecordSchema } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { labelled } from '../presentation.ts'
import { identifier, licence, links, meta, tagIds, tags } from './members/parts.ts'
import { flag, keyed, list, moment, note, object, text, texts } from './members/values.ts'

/** The fields that every record has, around those of the entity. Unknown fields are kept. */
export function recordSchema(id: string, members: TProperties): RecordSchema {
  const base = {
    Id: identifier,
    _Meta: meta,
    Self: note(text, 'Address of the record'),
    LicenseInfo: licence,
    Shortname: text,
    Active: labelled(
      note(flag, 'Whether the source shows the record'),
      ['Aktiv', 'Attivo', 'Active'],
      'status',
    ),
    FirstImport: moment,
    LastChange: labelled(
      note(moment, 'Time of the last change of content'),
      ['Geändert', 'Modificato', 'Changed'],
      'changed',
    ),
    HasLanguage: note(texts, 'Languages in which the record has texts'),
    Source: labelled(note(text, 'One of /v1/Source'), ['Quelle', 'Fonte', 'Source'], 'source'),
    PublishedOn: note(texts, 'Identifiers of /v1/Publisher that show the record'),
    Mapping: note(keyed(keyed(text)), 'Identifiers at other systems: provider, key, value'),
  }
  const schema = Type.Object({ ...base, ...members }, { additionalProperties: true })
  return Object.assign(schema, { $id: id })
}

/** A record of what visitors meet: tagged, related, shown or not (reference content.md 7.0). */
export function tourismSchema(naming: Naming, id: string, members: TProperties): RecordSchema {
  return recordSchema(id, {
    TagIds: tagIds,
    Tags: tags,
    [naming.tags]: note(links, 'Tags of the recommended system'),
    [naming.active]: note(flag, 'Whether the platform shows the record'),
    SmgTags: texts,
    SmgActive: flag,
    RelatedContent: list({ Id: text, Type: text, Self: text }),
    AdditionalProperties: note(keyed(object({})), 'Data specific to one provider, keyed by schema'),
    ...members,
  })
}
