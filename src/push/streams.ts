import type { Every } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'

/** What an operator says about a stream; one that is not named takes everything, in any order. */
export type StreamSettings = {
  /** `provider/dataset` */
  readonly stream: string
  /** Whether its messages are worked on one after the other, in the order in which they came. */
  readonly isOrdered: boolean
  /** Days that its finished messages are kept, 0 for ever; null: as HUB_PUSH_KEEP_DAYS says. */
  readonly keepDays: number | null
  /** Media types that it takes, in lower case; null: any, also none. */
  readonly mediaTypes: readonly string[] | null
}

export function listStreams(database: Queryable): Promise<readonly StreamSettings[]> {
  return database.query<StreamSettings>(sql`
    select stream, is_ordered as "isOrdered", keep_days as "keepDays", media_types as "mediaTypes"
    from push_stream order by stream`)
}

export async function storeStream(tx: Transaction, settings: StreamSettings): Promise<void> {
  const { stream, isOrdered, keepDays, mediaTypes } = settings
  await tx.execute(sql`
    insert into push_stream (stream, is_ordered, keep_days, media_types)
    values (${stream}, ${isOrdered}, ${keepDays}, ${mediaTypes}::text[])
    on conflict (stream) do update set
      is_ordered = excluded.is_ordered, keep_days = excluded.keep_days,
      media_types = excluded.media_types`)
}

/** The settings of all streams, as they were a moment ago. */
export type StreamTable = {
  readonly of: (stream: string) => StreamSettings | undefined
  /** Reads them for the first time, and again every few seconds from then on. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}

type Deps = {
  readonly database: Queryable
  readonly every: Every
  readonly onError: (error: unknown) => void
}

const fiveSeconds = 5000

export function streamTable({ database, every, onError }: Deps): StreamTable {
  let known = new Map<string, StreamSettings>()
  let stop = (): void => undefined
  const load = async () => {
    known = new Map((await listStreams(database)).map((one) => [one.stream, one]))
  }
  return {
    of: (stream) => known.get(stream),
    start: async () => {
      await load()
      stop = every(fiveSeconds, () => {
        load().catch(onError)
      })
    },
    stop: () => {
      stop()
    },
  }
}
