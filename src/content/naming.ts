import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'

/**
 * The names that carry the deployment's prefix (decision D10). The interface says `Hub`; a deployment
 * of the public system's data says `ODH`. This table, and not a rule, says how each name is spelt.
 */
export type Naming = {
  readonly prefix: string
  /** Path, type name and dataset of the activities and points of interest. */
  readonly activityPoi: string
  /** Path of the type list of the activities, and field with the links into it. */
  readonly activityPoiTypes: string
  /** Field with the links to the tags of the recommended system. */
  readonly tags: string
  /** Field of a tag that names its forerunners in the recommended system. */
  readonly tagIds: string
  /** Field that says whether the platform shows the record. */
  readonly active: string
  /** Field of a dataset description that named its type before `Type` did. */
  readonly datasetType: string
  /** Type of the dataset descriptions, as `_Meta.Type` and `type` parameters spell it. */
  readonly metaDataType: string
  /** Field of the answer to a write, and parameter, that name the type of a record. */
  readonly objectType: string
  /** Parameter for the records that the platform shows. */
  readonly activeFilter: string
  /** Parameter for the tags of the recommended system. */
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

/** The spellings that the interface and the public system use; both are taken on input (decision D10). */
const spellings = ['Hub', 'ODH'].map(toNaming)
const fields = ['activityPoiTypes', 'tags', 'tagIds', 'active', 'datasetType'] as const
const types = ['activityPoi', 'metaDataType'] as const

/** The name of a field in the spelling of the stored records. */
export function toStoredName(written: string, naming: Naming): string {
  const key = fields.find((member) => spellings.some((known) => known[member] === written))
  return key === undefined ? written : naming[key]
}

/** Types of records in lower case, each in every spelling. */
export function inEverySpelling(written: readonly string[]): readonly string[] {
  return written.flatMap((type) => {
    const key = types.find((one) => spellings.some((known) => known[one].toLowerCase() === type))
    return key === undefined ? [type] : spellings.map((known) => known[key].toLowerCase())
  })
}

/**
 * Fixes the name prefix with the first start and refuses another one later: stored documents carry
 * the prefix in their field names (decision D10).
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
