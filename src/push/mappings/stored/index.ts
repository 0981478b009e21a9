/** Mappings stored in the database, with their versions. */
export { listMappings, readStored, storedMappings } from './read-stored.ts'
export type { ListedMapping, StoredMappings } from './read-stored.ts'
export { addVersion, listVersions, loadVersion } from './versions.ts'
export type { MappingVersion, Sample, StoredSample } from './versions.ts'
