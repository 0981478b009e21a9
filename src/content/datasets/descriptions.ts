import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Visibility } from '../../access/index.ts'
import { readYaml } from '../../lang/read-yaml.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Naming } from '../naming.ts'

const inLanguages = Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() })

const description = Type.Object({
  dataspace: Type.Enum(['tourism', 'mobility', 'weather', 'other']),
  title: inLanguages,
  description: inLanguages,
})

/** A text in the languages of the region. */
export type InLanguages = Static<typeof inLanguages>

/** What a dataset holds, for people. */
export type Description = Static<typeof description>

/** Keyed by the name of the entity. */
const descriptions = readYaml(
  new URL('descriptions.yaml', import.meta.url),
  Type.Record(Type.String(), description),
)

/** A dataset of the time series service, as far as its description goes. */
export type MobilityDataset = {
  readonly kind: 'node' | 'edge' | 'event'
  readonly name: string
}

/** What the content service requests from the time series service; the composition root hands it in. */
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

/** What the dataset of an entity is called and what it holds; its name for one that nobody described. */
export function wordsOf(naming: Naming, name: string): Description {
  const nothing = { de: '', it: '', en: '' }
  return (
    describeEntity(naming, name) ?? {
      dataspace: 'other',
      title: sameInAll(name),
      description: nothing,
    }
  )
}

function sameInAll(text: string): InLanguages {
  return { de: text, it: text, en: text }
}

/** The description of a content entity; the activities bear the name of the deployment. */
export function describeEntity(naming: Naming, name: string): Description | undefined {
  return descriptions[name === naming.activityPoi ? 'ActivityPoi' : name]
}

/** The description of a dataset of the time series service: nothing more is known than its name. */
export function describeMobility({ kind, name }: MobilityDataset): Description {
  const dataspace = 'mobility'
  switch (kind) {
    case 'node':
      return {
        dataspace,
        title: sameInAll(name),
        description: {
          en: `Stations of the type ${name}, their latest values and history.`,
          de: `Stationen vom Typ ${name}, ihre letzten Werte und deren Verlauf.`,
          it: `Stazioni di tipo ${name}, gli ultimi valori e lo storico.`,
        },
      }
    case 'edge':
      return {
        dataspace,
        title: sameInAll(`${name}: connections`),
        description: {
          en: `Connections between stations, of the type ${name}.`,
          de: `Verbindungen zwischen Stationen, vom Typ ${name}.`,
          it: `Collegamenti tra stazioni, di tipo ${name}.`,
        },
      }
    case 'event':
      return {
        dataspace,
        title: sameInAll(`${name}: events`),
        description: {
          en: `Events in the mobility network, from ${name}; also as a DATEX II feed.`,
          de: `Ereignisse im Verkehrsnetz, von ${name}; auch als DATEX-II-Dienst.`,
          it: `Eventi nella rete di mobilità, da ${name}; anche come feed DATEX II.`,
        },
      }
  }
}
