import { Type } from 'typebox'
import { fieldsOf, objectsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { factsOf } from '../dataset.ts'
import { fit } from '../result.ts'
import { defineTool, language, limit } from '../tool.ts'
import { likeness, wordsOf } from '../words.ts'

/** Finds out where the data for a question is. */
export const searchDatasets = defineTool({
  name: 'search_datasets',
  title: 'Search datasets',
  description:
    'Start here. Finds the datasets of this open-data hub that have the data for a question: tourism records (content/…: hotels, points of interest, events, webcams, weather, municipalities …) and measuring stations (timeseries/…: car parks, charging stations, weather stations, traffic counters …). Takes a few keywords in German, Italian or English; without keywords it lists everything. Then call describe_dataset.',
  fields: {
    query: Type.Optional(
      Type.String({ maxLength: 200, description: 'Keywords, such as: free parking spaces' }),
    ),
    dataspace: Type.Optional(
      Type.Enum(['tourism', 'mobility', 'weather', 'other'], { description: 'Only one subject' }),
    ),
    language,
    limit,
  },
  run: async ({ query = '', dataspace, language: chosen = 'en', limit: most = 10 }, { ask }) => {
    const answer = await ask('/catalogue')
    const wanted = wordsOf(query)
    const found = objectsOf(answer.body['datasets'])
      .filter((dataset) => dataspace === undefined || dataset['dataspace'] === dataspace)
      .map((dataset) => ({ dataset, score: scoreOf(dataset, wanted) }))
      .filter(({ score }) => score > 0 || wanted.length === 0)
      .sort((one, other) => other.score - one.score)
    const items = fit(found.slice(0, most).map(({ dataset }) => toItem(dataset, chosen)))
    const notes =
      found.length > 0 ? [] : ['No dataset matches. Try other words, or none for the whole list.']
    return { answer, total: found.length, notes, data: { items } }
  },
})

function toItem(dataset: Members, chosen: string): Members {
  const { id, title, description, dataspace, count, dataTypes } = dataset
  const types = objectsOf(dataTypes).map((one) => String(one['id']))
  return {
    id,
    title: inLanguage(title, chosen),
    description: inLanguage(description, chosen),
    dataspace,
    count,
    ...factsOf(dataset),
    ...(types.length === 0 ? {} : { dataTypes: types }),
  }
}

/** Texts that the catalogue has in three languages. */
function inLanguage(texts: unknown, chosen: string): unknown {
  const { [chosen]: text, en } = fieldsOf(texts)
  return text ?? en
}

/** Where a word says most about a dataset. */
const weights = [
  [5, ({ id }: Members) => wordsOf(String(id))],
  [5, ({ title }: Members) => Object.values(fieldsOf(title)).flatMap(toWords)],
  [3, ({ dataTypes }: Members) => objectsOf(dataTypes).flatMap(({ id }) => toWords(id))],
  [2, ({ description }: Members) => Object.values(fieldsOf(description)).flatMap(toWords)],
  [1, ({ tags, sources }: Members) => [tags, sources].flatMap(idsOf)],
] as const

const toWords = (text: unknown) => wordsOf(String(text))

const idsOf = (values: unknown) =>
  Array.isArray(values)
    ? values.flatMap((value: unknown) => toWords(fieldsOf(value)['id'] ?? value))
    : []

type Places = readonly { readonly weight: number; readonly words: readonly string[] }[]

/** Words of datasets, as long as the catalogue that has them is known. */
const known = new WeakMap<Members, Places>()

function placesOf(dataset: Members): Places {
  const places =
    known.get(dataset) ??
    weights.map(([weight, words]) => ({ weight, words: [...new Set(words(dataset))] }))
  known.set(dataset, places)
  return places
}

function scoreOf(dataset: Members, wanted: readonly string[]): number {
  const places = placesOf(dataset)
  const score = wanted.reduce((sum, word) => {
    const best = places.map(
      ({ weight, words }) => weight * Math.max(0, ...words.map((one) => likeness(one, word))),
    )
    return sum + Math.max(...best) + best.reduce((all, one) => all + one, 0) / 10
  }, 0)
  return score === 0 ? 0 : score + coverageOf(dataset, wanted)
}

/** How much of a name was asked for: of equals accommodations are meant, and not their rooms. */
function coverageOf({ type, title }: Members, wanted: readonly string[]): number {
  const names = [type, ...Object.values(fieldsOf(title))].map(toWords)
  const shares = names.map((name) => {
    const meant = name.map((one) => Math.max(...wanted.map((word) => likeness(one, word))))
    return meant.reduce((sum, one) => sum + one, 0) / Math.max(1, name.length)
  })
  return Math.max(...shares)
}
