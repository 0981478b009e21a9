import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { exactly } from '../../../lang/schemas.ts'
import { sql } from '../../../sql/index.ts'
import type { Queryable, Transaction } from '../../../storage/index.ts'

const sampleFields = {
  name: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,100}$',
    description: 'Letters, digits, _, . and -',
  }),
  payload: Type.String({ maxLength: 200_000, description: 'A body as the provider pushes it' }),
  encoding: Type.Optional(
    Type.Enum(['utf8', 'base64'], { description: 'How payload is written; default: utf8' }),
  ),
  contentType: Type.Optional(Type.String({ maxLength: 200 })),
  received: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'When it arrives; default: 2026-01-01T00:00:00Z',
    }),
  ),
}

/** A payload on which each save tries the mapping. */
export const sample = exactly(sampleFields)
export type Sample = Static<typeof sample>

const result = Type.Object({ objects: Type.Unknown(), rejected: Type.Unknown() })

/** A sample with the result of the mapping. */
const storedSample = Type.Object({ ...sampleFields, result })
export type StoredSample = Static<typeof storedSample>

const files = Type.Record(Type.String(), Type.String())

/** A version of the stored mapping of a stream. */
export type MappingVersion = {
  readonly stream: string
  /** Counted from 1. */
  readonly number: number
  /** Text of its `mapping.yaml`. Null if the mapping was removed. */
  readonly text: string | null
  readonly files: Readonly<Static<typeof files>>
  readonly samples: readonly StoredSample[]
  readonly saved: Date
  readonly savedBy: string
}

/** Maximum number of versions that are kept per stream. Older ones are deleted. */
const maxVersions = 50

type Row = Omit<MappingVersion, 'files' | 'samples'> & {
  readonly files: string
  readonly samples: string
}

function toVersion(row: Row): MappingVersion {
  return {
    ...row,
    files: Parse(files, JSON.parse(row.files)),
    samples: Parse(Type.Array(storedSample), JSON.parse(row.samples)),
  }
}

/** Loads a version of a stream's mapping, or the newest one if no number is given. */
export async function loadVersion(
  database: Queryable,
  stream: string,
  number?: number,
): Promise<MappingVersion | undefined> {
  const [row] = await database.query<Row>(sql`
    select stream, number, text, files, samples, saved, saved_by as "savedBy"
    from stored_mapping
    where stream = ${stream} and number = coalesce(${number ?? null}::integer, number)
    order by number desc limit 1`)
  return row === undefined ? undefined : toVersion(row)
}

/** A version, as shown in a list. */
type ListedVersion = Pick<MappingVersion, 'number' | 'saved' | 'savedBy'> & {
  /** Whether this version ended the mapping. */
  readonly isEnd: boolean
}

/** Lists the versions of a stream's mapping, newest first. */
export function listVersions(
  database: Queryable,
  stream: string,
): Promise<readonly ListedVersion[]> {
  return database.query<ListedVersion>(sql`
    select number, saved, saved_by as "savedBy", text is null as "isEnd"
    from stored_mapping where stream = ${stream} order by number desc`)
}

/**
 * Lists streams with the numbers of their newest versions. Cheap, and different whenever anything
 * was saved.
 */
export function listNewest(
  database: Queryable,
): Promise<readonly Pick<MappingVersion, 'stream' | 'number'>[]> {
  return database.query(sql`
    select stream, max(number) as number from stored_mapping group by stream order by stream`)
}

/** Adds a version, and returns its number. */
export async function addVersion(
  tx: Transaction,
  version: Omit<MappingVersion, 'number' | 'saved'>,
): Promise<number> {
  const { stream, text, savedBy } = version
  // Of two callers that save at once, the second one waits and gets the next number.
  await tx.execute(sql`lock table stored_mapping in share row exclusive mode`)
  const [row] = await tx.query<{ readonly number: number }>(sql`
    insert into stored_mapping (stream, number, text, files, samples, saved_by)
    select ${stream}, coalesce(max(number), 0) + 1, ${text}, ${JSON.stringify(version.files)}::jsonb,
      ${JSON.stringify(version.samples)}::jsonb, ${savedBy}
    from stored_mapping where stream = ${stream}
    returning number`)
  const number = row?.number ?? 1
  await tx.execute(sql`
    delete from stored_mapping where stream = ${stream} and number <= ${number - maxVersions}`)
  return number
}
