import { sql } from '../../sql/index.ts'
import { defineEntity } from '../entity.ts'
import { tagColumns, tagFilters } from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { recordSchema } from './base.ts'
import { flag, keyed, note, object, perLanguage, text, texts } from './members/values.ts'

/** Tags of all systems (interface 2.3, 4.7): what records may be tagged with. */
export const tag = (naming: Naming) =>
  defineEntity({
    name: 'Tag',
    summary: 'Tags: what records may be tagged with',
    idStyle: 'exact',
    formerPaths: [`${naming.prefix}Tag`],
    titles: ['TagName.*'],
    columns: {
      main_entity: {
        type: 'text',
        expression: sql`left(data ->> 'MainEntity', 100)`,
        index: 'none',
      },
      ...tagColumns,
    },
    filters: tagFilters,
    order: ['main_entity', 'shortname'],
    schema: recordSchema('Tag', {
      TagName: perLanguage(text),
      Description: perLanguage(text),
      Types: note(texts, 'Kinds of tag, such as ltscategory or eventtopic'),
      ValidForEntity: note(texts, 'Entities whose records may have the tag'),
      PublishDataWithTagOn: note(keyed(flag), 'Whether a publisher shows records with the tag'),
      [naming.tagIds]: note(texts, 'Forerunners of the tag in the recommended system'),
      Shortname: text,
      MainEntity: text,
      DisplayAsCategory: flag,
      MappedTagIds: texts,
      IDMCategoryMapping: keyed(text),
      LTSTaggingInfo: object({ LTSRID: text, ParentLTSRID: text }),
    }),
  })
