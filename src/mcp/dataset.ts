import { AppError } from '../errors/index.ts'
import { hintAt } from '../lang/index.ts'
import { fieldsOf, objectsOf, textOf, textsOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import type { Ask } from './ask-hub.ts'

/** Facts that a reader needs to judge the data of a dataset. */
export type DatasetFacts = {
  readonly licences: readonly string[]
  readonly updated: unknown
  readonly freshness?: unknown
  readonly access: unknown
}

/** A dataset that is visible to the caller. */
export type Dataset = {
  readonly id: string
  readonly service: 'content' | 'timeseries'
  readonly type: string
  readonly facts: DatasetFacts
  /** URL of its list, including the parameters that select this dataset. */
  readonly list: string
  readonly record: string | undefined
  readonly titleField: string
}

/**
 * Finds a dataset by its identifier, or by its type alone.
 * @throws AppError HUB-RTE-003 with the most similar name as a hint
 */
export async function findDataset(ask: Ask, name: string): Promise<Dataset> {
  const { body } = await ask('/catalogue')
  const all = objectsOf(body['datasets'])
  const wanted = name.trim().toLowerCase()
  const isIt = ({ id, type }: Members) =>
    [id, type].some((text) => String(text).toLowerCase() === wanted)
  const found = all.find(isIt)
  if (found !== undefined) return toDataset(found)
  const known = all.flatMap(({ id, type }) => [String(id), String(type)])
  throw new AppError('HUB-RTE-003', `There is no dataset ${JSON.stringify(name)}.`, {
    hint: 'search_datasets finds datasets by keywords.',
    ...hintAt(name, known),
  })
}

function toDataset(described: Members): Dataset {
  const { id, type, service, links } = described
  const { list, record } = fieldsOf(links)
  return {
    id: String(id),
    type: String(type),
    service: service === 'timeseries' ? service : 'content',
    facts: factsOf(described),
    list: String(list),
    record: textOf(record),
    titleField: String(described['titleField']),
  }
}

export function factsOf({ licences, updated, freshness, access }: Members): DatasetFacts {
  const { state } = fieldsOf(freshness)
  return {
    licences: textsOf(licences),
    updated,
    ...(state === undefined ? {} : { freshness: state }),
    access,
  }
}

/**
 * Returns the dataset if it is a dataset of stations.
 * @throws AppError if it is a dataset of records
 */
export function assertStations(dataset: Dataset): Dataset {
  if (dataset.service === 'timeseries') return dataset
  throw new AppError('HUB-QRY-001', `${dataset.id} has records, and no measured values.`, {
    hint: 'Use query_records for it; search_datasets shows the datasets of stations as timeseries/….',
  })
}

/**
 * Returns the most informative paths of a record or station: the first columns of the hub's own
 * tables.
 * @param language language of the texts
 */
async function mainFields(
  ask: Ask,
  dataset: Dataset,
  language: string,
): Promise<readonly string[]> {
  const { body } = await ask(`/catalogue/${dataset.id}/members`)
  const columns = objectsOf(body['members'])
    .filter(({ column, role }) => typeof column === 'number' && !unneeded.has(String(role)))
    .sort((one, other) => Number(one['column']) - Number(other['column']))
    .flatMap(({ path, role }) => (role === 'place' ? coordinatesAt(String(path)) : [String(path)]))
    .map((path) => inLanguage(path, language))
  return columns.length > 0 ? columns : [inLanguage(dataset.titleField, language)]
}

/** Replaces a list of places, which may be long, by the coordinates of its first element. */
function coordinatesAt(path: string): readonly string[] {
  if (!path.endsWith('.[*]')) return [path]
  const first = path.replace('[*]', '[0]')
  return [`${first}.Latitude`, `${first}.Longitude`]
}

/**
 * Roles of table columns that are left out: they say little as text or are stated once for the
 * whole result.
 */
const unneeded: ReadonlySet<string> = new Set(['image', 'status', 'licence', 'source', 'changed'])

type Chosen = { readonly fields?: readonly string[]; readonly language?: string }

/** Returns the fields that a caller names, or else the main ones; undefined for all. */
export async function fieldsFor(
  ask: Ask,
  dataset: Dataset,
  { fields, language = 'en' }: Chosen,
): Promise<readonly string[] | undefined> {
  if (fields === undefined) return mainFields(ask, dataset, language)
  return namedFields(fields, language)
}

/** Returns the fields that a caller names, in a language; undefined for all (`*`). */
export function namedFields(
  fields: readonly string[],
  language: string,
): readonly string[] | undefined {
  return fields.includes('*') ? undefined : fields.map((path) => inLanguage(path, language))
}

export function inLanguage(path: string, language: string): string {
  return path.replaceAll('{language}', language)
}
