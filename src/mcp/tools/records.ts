import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { isObject, mapFields, objectsOf } from '../../lang/json.ts'
import type { Ask, Parameters } from '../ask-hub.ts'
import { ofStations, toParameters } from '../conditions.ts'
import { fieldsFor, findDataset, inLanguage, namedFields } from '../dataset.ts'
import type { Dataset } from '../dataset.ts'
import { fit, maxCharacters, shortest } from '../result.ts'
import type { Result } from '../result.ts'
import { cursor, datasetName, defineTool, fieldPaths, filters, language, limit } from '../tool.ts'
import { offsetOf, stationPage } from '../station-page.ts'

/** Tool that lists records of the content service, or stations, page by page. */
export const queryRecords = defineTool({
  name: 'query_records',
  title: 'Query records',
  description:
    'Lists records of a content dataset, or stations of a timeseries dataset, that match filters. Returns the exact total, the main fields or those that you name, and a cursor for more. Without filters it lists everything. To only count, use group_and_count.',
  fields: {
    dataset: datasetName,
    ...filters,
    language,
    fields: fieldPaths,
    sort: Type.Optional(
      Type.String({
        maxLength: 500,
        examples: ['-LastChange,Shortname'],
        description: 'Paths to sort by, with - before those in descending order; content only',
      }),
    ),
    limit,
    cursor,
  },
  run: async (given, { ask }) => {
    const dataset = await findDataset(ask, given.dataset)
    const { language: chosen = 'en', limit: most = 10 } = given
    const fields = await fieldsFor(ask, dataset, given)
    const chosenBy = toParameters(dataset, given)
    if (dataset.service === 'timeseries') {
      assertUnsorted(given)
      const page = { limit: most, offset: offsetOf(given.cursor) }
      const select = fields && [...new Set(['scode', ...fields])]
      return stationPage(ask, { dataset, path: dataset.list, where: chosenBy, select, page })
    }
    const query = {
      ...{ ...chosenBy, fields, language: chosen, rawsort: given.sort },
      ...{ cursor: given.cursor, removenullvalues: true },
    }
    return contentPage(ask, dataset, { query, most })
  },
})

/**
 * Refuses `sort` for stations. They have a fixed order, which the caller would mistake for the
 * requested one.
 */
function assertUnsorted({ sort }: { readonly sort?: string }): void {
  if (sort === undefined) return
  throw new AppError('HUB-QRY-001', 'sort: Stations cannot be sorted.', {
    hint: 'latest_values with order has the highest or lowest values first.',
  })
}

type Page = { readonly query: Parameters; readonly most: number }

/**
 * Returns a page of records. If the records are too long, requests a shorter page, so that its
 * cursor continues after the last record shown.
 */
async function contentPage(ask: Ask, dataset: Dataset, { query, most }: Page): Promise<Result> {
  const answer = await ask(dataset.list, { ...query, pagesize: most })
  const { Items: found, TotalResults: total } = answer.body
  const items = objectsOf(found)
  const kept = fit(items)
  if (kept.length < items.length) return contentPage(ask, dataset, { query, most: kept.length })
  const { facts } = dataset
  return { answer, facts, total: Number(total), cursor: answer.cursor, data: { items: kept } }
}

/** Tool that reads one record with all its fields, or long texts in pieces. */
export const readRecord = defineTool({
  name: 'read_record',
  title: 'Read record',
  description:
    'Reads one record of a content dataset, or one station of a timeseries dataset, by its Id or code: all fields, or those that you name. Long texts come in pieces of 6,000 characters: continue with from.',
  fields: {
    dataset: datasetName,
    id: Type.String({ minLength: 1, maxLength: 300, description: 'Id of the record, or scode' }),
    language,
    fields: fieldPaths,
    from: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: 10_000_000, default: 0 },
        description: 'Character at which long texts begin',
      }),
    ),
  },
  run: async ({ dataset: name, id, language: chosen = 'en', fields, from = 0 }, { ask }) => {
    const dataset = await findDataset(ask, name)
    const { facts, record } = dataset
    const whole = (value: unknown) => shortest(skip(value, from), maxCharacters - 2000, pieces)
    if (dataset.service === 'content') {
      // As path segments, `.` and `..` would lead to a different URL.
      if (id === '.' || id === '..') {
        throw new AppError('HUB-RTE-003', `${dataset.id} has no record ${JSON.stringify(id)}.`)
      }
      const path = (record ?? `${dataset.list.replace(/\?.*/, '')}/{id}`).replace(
        '{id}',
        encodeURIComponent(id),
      )
      const named = fields && namedFields(fields, chosen)
      const answer = await ask(path, { fields: named, language: chosen, removenullvalues: true })
      return { answer, facts, data: { record: whole(answer.body) } }
    }
    const where = ofStations([id])
    const select = fields === undefined ? undefined : ['scode', ...fields]
    const answer = await ask(dataset.list, { where, select, limit: 1 })
    const [station] = objectsOf(answer.body['data'])
    if (station !== undefined) return { answer, facts, data: { record: whole(station) } }
    throw new AppError('HUB-RTE-003', `${dataset.id} has no station ${JSON.stringify(id)}.`, {
      hint: 'query_records with search finds stations by name.',
    })
  },
})

/** Maximum length of texts and lists in one result. */
const pieces = { text: 6000, list: 200 }

/** Skips the first characters of all texts that are longer than `from`. */
function skip(value: unknown, from: number): unknown {
  if (from === 0) return value
  if (typeof value === 'string') return value.length > from ? value.slice(from) : value
  if (Array.isArray(value)) return value.map((item: unknown) => skip(item, from))
  return isObject(value) ? mapFields(value, (member) => skip(member, from)) : value
}

/** Tool that counts and aggregates records or stations. */
export const groupAndCount = defineTool({
  name: 'group_and_count',
  title: 'Group and count',
  description:
    'Counts records or stations, in all or by the values of up to three fields, with sums, averages and extremes: hotels by municipality, the average altitude of huts, stations by operator. Filters as in query_records. Exact, and much shorter than listing records.',
  fields: {
    dataset: datasetName,
    groupBy: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        ...{ minItems: 1, maxItems: 3, examples: [['LocationInfo.MunicipalityInfo.Name.en']] },
        description: 'Paths of describe_dataset; without them everything is one group',
      }),
    ),
    aggregates: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 310 }), {
        ...{ minItems: 1, maxItems: 10, examples: [['count', 'avg(Altitude)']] },
        description: 'count, sum(path), avg(path), min(path), max(path); default: count',
      }),
    ),
    ...filters,
    language,
    sort: Type.Optional(
      Type.String({
        ...{ maxLength: 500, examples: ['-count'] },
        description: 'Content only: aggregates and paths; default: the first aggregate, descending',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 200, default: 50 },
        description: 'Maximum number of groups',
      }),
    ),
    cursor,
  },
  run: async (given, { ask }) => {
    const dataset = await findDataset(ask, given.dataset)
    const { language: chosen = 'en', limit: most = 50, aggregates = ['count'] } = given
    const groupby = given.groupBy?.map((path) => inLanguage(path, chosen))
    const query = { ...toParameters(dataset, given), groupby, agg: aggregates }
    if (dataset.service === 'content') {
      const paged = { ...query, rawsort: given.sort, cursor: given.cursor }
      return groups(ask, dataset, { query: paged, most })
    }
    assertUnsorted(given)
    const offset = offsetOf(given.cursor)
    // Without groups, the service accepts aggregates only as selected fields.
    const whole = groupby === undefined ? { agg: undefined, select: aggregates } : {}
    const answer = await ask(dataset.list, { ...query, ...whole, limit: most, offset })
    const found = objectsOf(answer.body['data']).map(({ _timestamp: _, ...group }) => group)
    const items = fit(found)
    const isLast = items.length === found.length && found.length < most
    const after = offset + items.length
    const more = isLast ? { total: after } : { cursor: String(after) }
    return { answer, facts: dataset.facts, ...more, data: { groups: items } }
  },
})

async function groups(ask: Ask, dataset: Dataset, { query, most }: Page): Promise<Result> {
  const answer = await ask(dataset.list, { ...query, pagesize: most })
  const found = objectsOf(answer.body['Items'])
  const items = fit(found)
  if (items.length < found.length) return groups(ask, dataset, { query, most: items.length })
  const total = Number(answer.body['TotalResults'])
  return {
    ...{ answer, facts: dataset.facts, total, cursor: answer.cursor },
    data: { groups: items },
  }
}
