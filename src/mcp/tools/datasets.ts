import { Type } from 'typebox'
import { fieldsOf, objectsOf, textOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { factsOf, findDataset, inLanguage } from '../dataset.ts'
import { fit, maxCharacters, shortest } from '../result.ts'
import { datasetName, defineTool, language, limit } from '../tool.ts'
import { fold, likeness, wordsOf } from '../words.ts'

/** Tool that explains which fields, tags and parameters a dataset has. */
export const describeDataset = defineTool({
  name: 'describe_dataset',
  title: 'Describe dataset',
  description:
    'Explains one dataset: how many records, how fresh, under which licence; the paths of its main fields, its tags, its data types with units, and the parameters of its list with their possible values. Call it before you filter. With about, only fields, tags and values that contain that word, such as a town ("Meran") or a topic ("castle").',
  fields: {
    dataset: datasetName,
    about: Type.Optional(
      Type.String({ minLength: 2, maxLength: 100, description: 'A word to look for' }),
    ),
    language,
  },
  run: async ({ dataset: name, about, language: chosen = 'en' }, { ask }) => {
    const dataset = await findDataset(ask, name)
    const path = `/catalogue/${dataset.id}`
    const answer = await ask(path)
    const { body: fields } = await ask(`${path}/members`)
    const { body: values } = await ask(`${path}/values`)
    const matches = matcher(about)
    const choose = { chosen, matches, isAll: about === undefined }
    const { links, title, description, count, sources, languages } = answer.body
    const data = {
      id: dataset.id,
      title: fieldsOf(title)[chosen] ?? fieldsOf(title)['en'],
      description: fieldsOf(description)[chosen] ?? fieldsOf(description)['en'],
      count,
      sources: idsOf(sources),
      languages: idsOf(languages),
      page: fieldsOf(links)['page'],
      ...standardsOf(answer.body),
      ...present('dataTypes', dataTypesOf(values, choose)),
      ...present('tags', titled(values['tags'], choose, maxTags)),
      fields: describeFields(fields, choose),
      ...present('parameters', describeParameters({ fields, values }, choose)),
      howToRead: dataset.service === 'timeseries' ? stationsUse : recordsUse,
    }
    return { answer, facts: dataset.facts, data: fieldsOf(shortest(data, maxCharacters - 1500)) }
  },
})

const stationsUse =
  'latest_values for current values, time_series for history, query_records for the stations themselves, find_nearest for stations around a place, group_and_count for statistics of stations.'
const recordsUse =
  'query_records for records, read_record for one in full, find_nearest for records around a place, group_and_count for statistics. match takes these paths; parameters takes these names.'

/** Returns a part of the description, or nothing if the part is empty. */
function present(name: string, value: object): Members {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

type Choice = {
  readonly chosen: string
  readonly matches: (...texts: readonly unknown[]) => boolean
  /** True if no search word was given. */
  readonly isAll: boolean
}

function matcher(about: string | undefined) {
  const wanted = fold(about ?? '')
  return (...texts: readonly unknown[]) => texts.some((text) => fold(String(text)).includes(wanted))
}

const [maxTags, maxFields, maxValues] = [40, 60, 20]

const idsOf = (values: unknown) =>
  Array.isArray(values) ? values.map((value: unknown) => fieldsOf(value)['id'] ?? value) : []

function standardsOf({ standards }: Members): Members {
  return Array.isArray(standards) && standards.length > 0 ? { standards } : {}
}

function dataTypesOf({ dataTypes }: Members, { matches, isAll }: Choice): readonly Members[] {
  const all = objectsOf(dataTypes)
  const found = all.filter(({ id, description }) => matches(id, description))
  // A word that matches no data type is meant for other parts, so all data types are listed.
  return isAll || found.length > 0 ? found : all
}

/** Maps the id of each value to its title in the chosen language, with its count. */
function titled(values: unknown, { chosen, matches }: Choice, most: number): Members {
  const found = objectsOf(values).filter(({ id, title }) =>
    matches(id, ...Object.values(fieldsOf(title))),
  )
  const entries = found.slice(0, most).map(({ id, code, title, count }) => {
    const { [chosen]: text, en } = fieldsOf(title)
    const counted = typeof count === 'number' ? ` (${String(count)})` : ''
    return [String(id), `${String(text ?? en ?? code ?? id)}${counted}`] as const
  })
  const more = found.length - entries.length
  return { ...Object.fromEntries(entries), ...moreOf(more) }
}

const moreOf = (more: number): Members =>
  more > 0 ? { '…': `${String(more)} more: describe_dataset with about` } : {}

/**
 * Maps the path of each field that is not deprecated to its title, type and unit. Without a search
 * word, only fields with a label, station metadata and fields of values are included.
 */
function describeFields({ members }: Members, choice: Choice): Members {
  const { chosen, matches, isAll } = choice
  const current = objectsOf(members).filter(
    ({ deprecated, type, at }) => deprecated === null && type !== 'object' && at !== 'edges',
  )
  const found = current.filter(({ path, label, description, at }) =>
    isAll
      ? label !== null || isOfStation.test(String(path)) || at === 'values'
      : matches(path, description, ...Object.values(fieldsOf(label))),
  )
  const entries = found.slice(0, maxFields).map((field) => {
    const { path, type, unit, label, description, takesToken } = field
    const { [chosen]: text, en } = fieldsOf(label)
    const words = [text ?? en ?? textOf(description), type, unit, takesToken === true && 'closed']
    return [
      inLanguage(String(path), chosen),
      words.filter((word) => typeof word === 'string' && word !== '').join(', '),
    ] as const
  })
  const others = isAll ? objectsOf(members).length - entries.length : found.length - entries.length
  return { ...Object.fromEntries(entries), ...moreOf(others) }
}

/** Metadata differs between station types, so its fields have no labels. */
const isOfStation = /^smetadata\./

type Parts = { readonly fields: Members; readonly values: Members }

function describeParameters({ fields, values }: Parts, choice: Choice): Members {
  const choices = fieldsOf(values['parameters'])
  const described = objectsOf(fields['parameters']).map(({ name, kind, label, unit }) => {
    const { [choice.chosen]: text, en } = fieldsOf(label)
    const offered = titled(choices[String(name)], choice, maxValues)
    const isMeant = choice.isAll || Object.keys(offered).length > 0
    const form = forms[String(kind)] ?? ''
    const about = `${String(text ?? en)}${textOf(unit) === undefined ? '' : `, ${String(unit)}`}`
    return isMeant ? [[String(name), { about, form, ...offered }] as const] : []
  })
  return Object.fromEntries(described.flat())
}

const forms: Readonly<Record<string, string>> = {
  date: 'day, yyyy-MM-dd',
  flag: 'true or false',
  range: 'two numbers with a comma: lower,upper',
  bits: 'a number, or the sum of several',
  ids: 'one or more, with commas',
}

/** Tool that finds the datasets for a question. */
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
    title: inChosen(title, chosen),
    description: inChosen(description, chosen),
    dataspace,
    count,
    ...factsOf(dataset),
    ...(types.length === 0 ? {} : { dataTypes: types }),
  }
}

/** Picks the chosen language of a text that the catalogue has in three languages, or English. */
function inChosen(texts: unknown, chosen: string): unknown {
  const { [chosen]: text, en } = fieldsOf(texts)
  return text ?? en
}

/**
 * Weights of the places in which a word can occur: the higher, the more it says about a dataset.
 */
const weights = [
  [5, ({ id }: Members) => wordsOf(String(id))],
  [5, ({ title }: Members) => Object.values(fieldsOf(title)).flatMap(toWords)],
  [3, ({ dataTypes }: Members) => objectsOf(dataTypes).flatMap(({ id }) => toWords(id))],
  [2, ({ description }: Members) => Object.values(fieldsOf(description)).flatMap(toWords)],
  [1, ({ tags, sources }: Members) => [tags, sources].flatMap(idsOf).flatMap(toWords)],
] as const

const toWords = (text: unknown) => wordsOf(String(text))

type Places = readonly { readonly weight: number; readonly words: readonly string[] }[]

/** Cache of the words of each dataset, for as long as the parsed catalogue is in memory. */
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

/**
 * Returns how much of the dataset's name the query covers, from 0 to 1. It breaks ties: a search
 * for accommodations finds them before their rooms.
 */
function coverageOf({ type, title }: Members, wanted: readonly string[]): number {
  const names = [type, ...Object.values(fieldsOf(title))].map(toWords)
  const shares = names.map((name) => {
    const meant = name.map((one) => Math.max(...wanted.map((word) => likeness(one, word))))
    return meant.reduce((sum, one) => sum + one, 0) / Math.max(1, name.length)
  })
  return Math.max(...shares)
}
