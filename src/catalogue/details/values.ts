import type { Visibility } from '../../access/index.ts'
import { loadTagTitles } from '../../content/index.ts'
import type { Entity } from '../../content/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { loadDataTypeWords } from '../../timeseries/index.ts'
import type { Values } from '../dataset.ts'
import { mostOf } from '../tally.ts'

type Deps = { readonly database: Queryable; readonly entities: readonly Entity[] }

const most = 500

/** The values in use, with the titles of tags and the units of data types. */
export async function describeValues(
  { database, entities }: Deps,
  { tags, languages, sources, licences, dataTypes }: Values,
  visibility: Visibility,
) {
  const ids = [...tags.keys()].slice(0, most)
  const tagEntity = entities.find(({ name }) => name === 'Tag')
  const titles =
    tagEntity === undefined || ids.length === 0
      ? new Map<string, Readonly<Record<string, string>>>()
      : await loadTagTitles(database, tagEntity, { ids, visibility })
  const words = await loadDataTypeWords(database, [...dataTypes.keys()])
  const nothing = { unit: null, description: null }
  return {
    tags: mostOf(tags, most).map((tag) => ({ ...tag, title: titles.get(tag.id) ?? {} })),
    languages: mostOf(languages, most),
    sources: mostOf(sources, most),
    licences: mostOf(licences, most),
    dataTypes: mostOf(dataTypes, most).map((one) => ({
      ...one,
      ...(words.get(one.id) ?? nothing),
    })),
  }
}
