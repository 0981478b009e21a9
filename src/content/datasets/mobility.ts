import type { Visibility } from '../../access/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** A dataset of the time series service, as far as its description goes. */
export type MobilityDataset = {
  readonly kind: 'node' | 'edge' | 'event'
  readonly name: string
}

/** What the content service asks the time series service about; the composition root hands it in. */
export type Mobility = {
  readonly load: (database: Queryable) => Promise<readonly MobilityDataset[]>
  /** What a caller with these rights sees. */
  readonly count: (
    database: Queryable,
    dataset: MobilityDataset,
    visibility: Visibility,
  ) => Promise<{ readonly open: number; readonly closed: number }>
  /** What the version of the dataset is kept under. */
  readonly versionedAs: (dataset: MobilityDataset) => string
}

/** For a hub that serves content only. */
export const noMobility: Mobility = {
  load: () => Promise.resolve([]),
  count: () => Promise.resolve({ open: 0, closed: 0 }),
  versionedAs: ({ kind, name }) => `${kind}/${name}`,
}

const roots = { node: 'flat,node', edge: 'flat,edge', event: 'flat,event' } as const

/** The path of the dataset, segment by segment. */
export function pathOf({ kind, name }: MobilityDataset): readonly string[] {
  return ['v2', roots[kind], name]
}

/** The dataset that a path leads to; undefined for what is none, such as a list of several types. */
export function mobilityAt([version, root, name, ...more]: readonly string[]):
  MobilityDataset | undefined {
  if (version !== 'v2' || name === undefined || /[*,]/.test(name)) return undefined
  // Behind a station type come data types: the records are the same stations.
  const kind = kinds.find(
    (one) => roots[one] === root || root === roots[one].replace('flat', 'tree'),
  )
  const isNode = kind === 'node' || root === 'flat' || root === 'tree'
  if (isNode) return { kind: 'node', name }
  return kind === undefined || more.length > 0 ? undefined : { kind, name }
}

const kinds = ['node', 'edge', 'event'] as const
