import { Type } from 'typebox'
import { fieldsOf, objectsOf, textOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { findDataset, inLanguage } from '../dataset.ts'
import { mostCharacters, shortest } from '../result.ts'
import { datasetName, defineTool, language } from '../tool.ts'
import { fold } from '../words.ts'

/** What can be asked of a dataset. */
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
      ...present('tags', titled(values['tags'], choose, mostTags)),
      fields: describeFields(fields, choose),
      ...present('parameters', describeParameters({ fields, values }, choose)),
      howToRead: dataset.service === 'timeseries' ? stationsUse : recordsUse,
    }
    return { answer, facts: dataset.facts, data: fieldsOf(shortest(data, mostCharacters - 1500)) }
  },
})

const stationsUse =
  'latest_values for current values, time_series for history, query_records for the stations themselves, find_nearest for stations around a place, group_and_count for statistics of stations.'
const recordsUse =
  'query_records for records, read_record for one in full, find_nearest for records around a place, group_and_count for statistics. match takes these paths; parameters takes these names.'

/** A part of the description, unless it is empty. */
function present(name: string, value: object): Members {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

type Choice = {
  readonly chosen: string
  readonly matches: (...texts: readonly unknown[]) => boolean
  /** Whether no word was given. */
  readonly isAll: boolean
}

function matcher(about: string | undefined) {
  const wanted = fold(about ?? '')
  return (...texts: readonly unknown[]) => texts.some((text) => fold(String(text)).includes(wanted))
}

const [mostTags, mostFields, mostValues] = [40, 60, 20]

const idsOf = (values: unknown) =>
  Array.isArray(values) ? values.map((value: unknown) => fieldsOf(value)['id'] ?? value) : []

function standardsOf({ standards }: Members): Members {
  return Array.isArray(standards) && standards.length > 0 ? { standards } : {}
}

function dataTypesOf({ dataTypes }: Members, { matches, isAll }: Choice): readonly Members[] {
  const all = objectsOf(dataTypes)
  const found = all.filter(({ id, description }) => matches(id, description))
  // A word that no data type has was meant for something else.
  return isAll || found.length > 0 ? found : all
}

/** Values with titles in languages, as `id: title`. */
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

/** Path: what it is. Without a word those that people are shown under a name, and that are not deprecated. */
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
  const entries = found.slice(0, mostFields).map((field) => {
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

/** Metadata differs from type to type, so nobody gave it names for people. */
const isOfStation = /^smetadata\./

type Parts = { readonly fields: Members; readonly values: Members }

/** Parameters that people choose by, with what can be chosen. */
function describeParameters({ fields, values }: Parts, choice: Choice): Members {
  const choices = fieldsOf(values['parameters'])
  const described = objectsOf(fields['parameters']).map(({ name, kind, label, unit }) => {
    const { [choice.chosen]: text, en } = fieldsOf(label)
    const offered = titled(choices[String(name)], choice, mostValues)
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
