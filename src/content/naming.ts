import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'

/**
 * Names that carry the deployment's prefix (decision D10). The interface uses `Hub`; a deployment
 * with the public system's data uses `ODH`. This is a table and not a rule, because the letter case
 * of the prefix differs from name to name.
 */
export type Naming = {
  readonly prefix: string
  /** Path, type name and dataset of the activities and points of interest. */
  readonly activityPoi: string
  /** Path of the type list of the activities, and the field with links to its rows. */
  readonly activityPoiTypes: string
  /** Field with links to the tags of the recommended system. */
  readonly tags: string
  /** Field of a tag that names its predecessors in the recommended system. */
  readonly tagIds: string
  /** Field that states whether the platform shows the record. */
  readonly active: string
  /** Field of a dataset description that held its type before `Type` existed. */
  readonly datasetType: string
  /** Type of the dataset descriptions, as `_Meta.Type` and `type` parameters spell it. */
  readonly metaDataType: string
  /** A field of write responses and a parameter, both for the type of a record. */
  readonly objectType: string
  /** Parameter that selects the records that the platform shows. */
  readonly activeFilter: string
  /** Parameter that filters by tags of the recommended system. */
  readonly tagFilter: string
}

export function toNaming(prefix: string): Naming {
  const capitalised = prefix.charAt(0) + prefix.slice(1).toLowerCase()
  const lower = prefix.toLowerCase()
  return {
    prefix,
    activityPoi: `${prefix}ActivityPoi`,
    activityPoiTypes: `${prefix}ActivityPoiTypes`,
    tags: `${prefix}Tags`,
    tagIds: `${prefix}TagIds`,
    active: `${capitalised}Active`,
    datasetType: `${capitalised}Type`,
    metaDataType: `${lower}metadata`,
    objectType: `${lower}type`,
    activeFilter: `${lower}active`,
    tagFilter: `${lower}tagfilter`,
  }
}

/**
 * The names of the interface and of the public system. Both are accepted on input (decision D10).
 */
const spellings = ['Hub', 'ODH'].map(toNaming)
const fields = ['activityPoiTypes', 'tags', 'tagIds', 'active', 'datasetType'] as const
const types = ['activityPoi', 'metaDataType'] as const

/** Converts the name of a field to the spelling of the stored records. */
export function toStoredName(written: string, naming: Naming): string {
  const key = fields.find((member) => spellings.some((known) => known[member] === written))
  return key === undefined ? written : naming[key]
}

/** Expands record types in lower case to all their spellings. */
export function inEverySpelling(written: readonly string[]): readonly string[] {
  return written.flatMap((type) => {
    const key = types.find((one) => spellings.some((known) => known[one].toLowerCase() === type))
    return key === undefined ? [type] : spellings.map((known) => known[key].toLowerCase())
  })
}

/**
 * Stores the prefix at the first start and rejects a different one later, because stored records
 * carry the prefix in their field names (decision D10).
 */
export async function assertPrefix(database: Database, prefix: string): Promise<void> {
  await database.execute(
    sql`insert into deployment (name, value) values ('prefix', ${prefix}) on conflict do nothing`,
  )
  const [row] = await database.query<{ value: string }>(
    sql`select value from deployment where name = 'prefix'`,
  )
  if (row !== undefined && row.value !== prefix) {
    throw new Error(
      `This database was set up with HUB_PREFIX=${row.value}; it cannot be opened with HUB_PREFIX=${prefix}.`,
    )
  }
}
