import { loadDataset, loadMembers, pathOfLink } from '../api/index.ts'
import type { Dataset as DatasetEntry, Member, Parameter } from '../api/index.ts'
import type { Dataset } from './query/index.ts'

/** The catalogue entry of a dataset, and the fields of its records. */
export type DatasetDetails = {
  readonly entry: Pick<DatasetEntry, 'count' | 'languages' | 'dataTypes' | 'formats' | 'standards'>
  readonly members: readonly Member[]
  readonly parameters: readonly Parameter[]
}

/** Returns the dataset that the segments of the path name. */
export function datasetAt(
  parts: Readonly<Record<string, string>>,
): Pick<Dataset, 'service' | 'type'> {
  const { entity, type = '' } = parts
  return entity === undefined
    ? { service: 'timeseries', type }
    : { service: 'content', type: entity }
}

/** Loads what a view of a dataset needs before it requests records. */
export async function loadDetails(
  { service, type }: Pick<Dataset, 'service' | 'type'>,
  signal: AbortSignal,
) {
  const [entry, { members, parameters }] = await Promise.all([
    loadDataset({ service, type }, signal),
    loadMembers({ service, type }, signal),
  ])
  const list = pathOfLink(entry.links['list'] ?? '') ?? ''
  const { titleField } = entry
  return { dataset: { service, type, list, titleField }, entry, members, parameters }
}
