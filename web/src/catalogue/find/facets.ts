import type { Dataset } from '../../api/index.ts'

export const facetNames = [
  'service',
  'topic',
  'changed',
  'access',
  'licence',
  'source',
  'tag',
] as const

export type FacetName = (typeof facetNames)[number]

/** Selected values of each facet. An empty list selects all. */
export type Chosen = Readonly<Record<FacetName, readonly string[]>>

/** A value of a facet, and the number of datasets that would remain with it. */
export type FacetValue = { readonly value: string; readonly count: number }

const hour = 3_600_000
const ages = [
  ['hour', hour],
  ['day', 24 * hour],
  ['week', 7 * 24 * hour],
] as const

const read: Readonly<Record<FacetName, (dataset: Dataset, now: Date) => readonly string[]>> = {
  service: ({ service }) => [service],
  topic: ({ dataspace }) => [dataspace],
  changed: ({ updated }, now) => agesOf(updated, now),
  access: ({ access }) => [access],
  // The empty text makes datasets without a licence selectable.
  licence: ({ licences }) => (licences.length === 0 ? [''] : licences),
  source: ({ sources }) => sources,
  tag: ({ tags }) => tags.map(({ id }) => id),
}

/**
 * Returns all matching ages: what changed within the last hour also changed within the last day.
 */
function agesOf(updated: string | null, now: Date): readonly string[] {
  const time = updated === null ? Number.NaN : Date.parse(updated)
  if (Number.isNaN(time)) return ['unknown']
  const names = ages.filter(([, age]) => now.getTime() - time <= age).map(([name]) => name)
  return names.length === 0 ? ['older'] : names
}

/**
 * Reports whether a dataset matches the selected values of every facet, ignoring the facet
 * `except`.
 */
export function isChosen(
  dataset: Dataset,
  {
    chosen,
    now,
    except,
  }: { readonly chosen: Chosen; readonly now: Date; readonly except?: FacetName },
): boolean {
  return facetNames.every((name) => {
    const wanted = name === except ? [] : chosen[name]
    return wanted.length === 0 || read[name](dataset, now).some((value) => wanted.includes(value))
  })
}

/**
 * Counts the values of a facet among the datasets that match all other facets. Selected values are
 * always included.
 */
export function countFacet(
  datasets: readonly Dataset[],
  name: FacetName,
  { chosen, now }: { readonly chosen: Chosen; readonly now: Date },
): readonly FacetValue[] {
  const counts = new Map(chosen[name].map((value) => [value, 0]))
  for (const dataset of datasets) {
    if (!isChosen(dataset, { chosen, now, except: name })) continue
    for (const value of read[name](dataset, now)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return inOrder(
    name,
    [...counts].map(([value, count]) => ({ value, count })),
  )
}

/** Fixed order of values. Facets without one show the most frequent value first. */
const fixed: Partial<Readonly<Record<FacetName, readonly string[]>>> = {
  service: ['content', 'timeseries', 'traffic'],
  changed: ['hour', 'day', 'week', 'older', 'unknown'],
  access: ['open', 'partly', 'closed'],
}

function inOrder(name: FacetName, values: readonly FacetValue[]): readonly FacetValue[] {
  const order = fixed[name]
  return values.toSorted((a, b) =>
    order === undefined
      ? b.count - a.count || a.value.localeCompare(b.value)
      : order.indexOf(a.value) - order.indexOf(b.value),
  )
}
