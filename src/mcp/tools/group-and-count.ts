import { Type } from 'typebox'
import { objectsOf } from '../../lang/json.ts'
import type { Ask, Parameters } from '../ask-hub.ts'
import { toParameters } from '../conditions.ts'
import { findDataset, inLanguage } from '../dataset.ts'
import type { Dataset } from '../dataset.ts'
import { fit } from '../result.ts'
import type { Result } from '../result.ts'
import { offsetOf } from '../station-page.ts'
import { cursor, datasetName, defineTool, filters, language } from '../tool.ts'

/** Statistics of records or stations. */
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
    const offset = offsetOf(given.cursor)
    // Without groups the service takes aggregates as fields only.
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

type Page = { readonly query: Parameters; readonly most: number }

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
