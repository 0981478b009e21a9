import { defineEntity } from '../entity.ts'
import { sourceFilters } from '../filters/lists/further.ts'
import { recordSchema } from './base.ts'
import { description, list, name, note, perLanguage, text, texts } from './members/values.ts'

/** Origins of the data: every value that `Source` may have (interface 4.7). */
export const source = () =>
  defineEntity({
    name: 'Source',
    summary: 'Origins of the data',
    idStyle: 'lower',
    filters: sourceFilters,
    titles: ['Name.*', 'Id'],
    schema: recordSchema('Source', {
      Key: text,
      Name: perLanguage(name),
      Description: perLanguage(description),
      Url: text,
      Interfaces: texts,
      Types: note(texts, 'Types of the records that come from here'),
      SyncDataConfig: list({ PathParam: texts, BaseUrl: text, SyncDataApiUrl: text }),
    }),
  })
