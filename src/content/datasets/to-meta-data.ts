import { createHash } from 'node:crypto'
import type { Entity } from '../entity.ts'
import type { ContentRecord } from '../write/to-stored.ts'
import type { Description } from './description.ts'
import { describeEntity, describeMobility } from './descriptions.ts'
import { pathOf } from './mobility.ts'
import type { MobilityDataset } from './mobility.ts'

/** The record of a content entity; undefined for one that nobody has described. */
export function entityRecord({ name, path, type, naming }: Entity): ContentRecord | undefined {
  const description = describeEntity(naming, name)
  if (description === undefined) return undefined
  const segments = ['v1', ...path.split('/')]
  return { ...toRecord(segments, description), ApiType: 'content', Type: type }
}

/** The record of a station type, an edge type or an event origin. */
export function mobilityRecord(dataset: MobilityDataset): ContentRecord {
  const record = toRecord(pathOf(dataset), describeMobility(dataset))
  if (dataset.kind !== 'event') return { ...record, ApiType: 'timeseries' }
  const slug = dataset.name.toLowerCase().replaceAll('_', '-')
  const feed = `/traffic/v1/situation-publication/${encodeURIComponent(slug)}`
  return {
    ...record,
    ApiType: 'timeseries',
    Output: { datex2: feed },
  }
}

function toRecord(path: readonly string[], description: Description): ContentRecord {
  const { dataspace, title, ...texts } = description
  return {
    Id: idOf(path),
    Shortname: title,
    Active: true,
    Deprecated: false,
    Dataspace: dataspace,
    PathParam: path,
    ApiFilter: [],
    ApiDescription: texts,
    // By this the hub knows the record as one of its own, whatever an editor makes of the rest.
    Mapping: { hub: { dataset: path.join('/') } },
  }
}

/** The same on every hub: a UUID of version 8 (RFC 9562) made of the path. */
function idOf(path: readonly string[]): string {
  const digest = createHash('sha256')
    .update(`dataset ${path.join('/')}`)
    .digest('hex')
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
