import { defineEntity } from '../entity.ts'
import { recordSchema } from './base.ts'
import { list, perLanguage, text, texts } from './members/values.ts'

/** Channels that show records: every value that `PublishedOn` may have (decision D37). */
export const publisher = () =>
  defineEntity({
    name: 'Publisher',
    summary: 'Channels that show records',
    idStyle: 'lower',
    titles: ['Name.*', 'Id'],
    schema: recordSchema('Publisher', {
      Key: text,
      Name: perLanguage(text),
      Url: text,
      PushConfig: list({ PathParam: texts, BaseUrl: text, PushApiUrl: text }),
    }),
  })
