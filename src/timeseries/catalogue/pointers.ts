import {
  dataType,
  edgeBegin,
  edgeEnd,
  eventLocation,
  eventProvenance,
  measurement,
  metadataHistory,
  parent,
  provenance,
} from './groups.ts'
import type { Group } from './groups.ts'

/** Names that stand for all fields of the groups below them; members of the tree (reference 2.2). */
export const pointers: ReadonlyMap<string, readonly Group[]> = new Map([
  ['sparent', [parent]],
  ['sdatatypes', [dataType, measurement, provenance]],
  ['tmeasurements', [measurement, provenance]],
  ['mprovenance', [provenance]],
  ['smetadatahistory', [metadataHistory]],
  ['ebegin', [edgeBegin]],
  ['eend', [edgeEnd]],
  ['evlocation', [eventLocation]],
  ['evprovenance', [eventProvenance]],
])
