import type { Visibility } from '../access/index.ts'
import { anonymous } from '../access/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Feed } from './feed.ts'
import type { Offsets } from './offsets.ts'
import { isLost } from './order.ts'
import { beginning, readPage } from './read-page.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly offsets: Offsets
}

/** A feed as callers without a token and parameters read it, from its start. */
export type Snapshot = {
  /** Equal as long as offsets of these callers stay valid: it changes with the epoch and with the rules that open data to all. */
  readonly readership: string
  /** Whether the feed can be followed from an offset. */
  readonly isValid: (offset: string) => Promise<boolean>
  /** The offset is taken before the list is read: what changes meanwhile may be in both, and is never missing. */
  readonly begin: () => Promise<Begun>
}

type Begun = {
  /** Where the feed continues after the pages. */
  readonly offset: string
  /** Messages, as JSON texts. */
  readonly pages: AsyncIterable<readonly string[]>
}

/** @param visibility of callers without a token */
export function snapshotOf(
  { offsets, ...deps }: Deps,
  feed: Feed,
  visibility: Visibility,
): Snapshot {
  const of = { feed, visibility, query: {} }
  const paging = { ...deps, transactionId: offsets.transactionId }
  return {
    readership: offsets.readership(of),
    isValid: async (offset) => {
      try {
        const position = offsets.parse(offset, of)
        return !(await isLost(deps.database, feed.datasets, position))
      } catch {
        return false
      }
    },
    begin: async () => {
      const from = await beginning(paging)
      const caller = { principal: anonymous, visibility, isStrict: false }
      const reading = await feed.open({}, caller)
      return {
        offset: offsets.print({ ...from, kind: 'changes' }, of),
        pages: pagesFrom(paging, { feed, reading }, from),
      }
    },
  }
}

type Paging = Parameters<typeof readPage>

async function* pagesFrom(
  deps: Paging[0],
  read: Paging[1],
  from: Paging[2],
): AsyncGenerator<readonly string[]> {
  let position = from
  while (position.kind === 'list') {
    const { messages, next } = await readPage(deps, read, position)
    yield messages
    position = next
  }
}
