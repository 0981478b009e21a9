import { anonymous } from '../access/index.ts'
import type { Feed } from './feed.ts'
import { isExpired } from './follow.ts'
import type { Following } from './follow.ts'
import { beginning, printInsert } from './read-page.ts'

/** A feed from its start, as a caller without a token or parameters reads it. */
export type Snapshot = {
  /**
   * Stays equal as long as offsets of these callers are valid. It changes with the epoch and with
   * the rules that open data to everybody.
   */
  readonly readership: string
  /** Reports whether the feed can be followed from an offset. */
  readonly isValid: (offset: string) => boolean
  /**
   * Starts a snapshot. The offset is taken before the list is read, so a change in between may be
   * in both but is never missing.
   */
  readonly begin: () => Promise<Begun>
}

type Begun = {
  /** Where the feed continues after the pages. */
  readonly offset: string
  /** Messages as JSON texts. */
  readonly pages: AsyncIterable<readonly string[]>
}

/** Records per page. */
const atOnce = 250

export function snapshotOf(following: Following, feed: Feed): Snapshot {
  const visibility = following.visibilityOf(anonymous)
  const of = { feed, visibility, query: {} }
  const { offsets } = following.valid()
  return {
    readership: offsets.readership(of),
    isValid: (offset) => {
      try {
        return !isExpired(following, offsets.parse(offset, of))
      } catch {
        return false
      }
    },
    begin: async () => {
      const from = await beginning(following)
      return {
        offset: offsets.print({ ...from, kind: 'changes' }, of),
        pages: pagesOf(feed, { principal: anonymous, visibility, isStrict: false }),
      }
    },
  }
}

async function* pagesOf(
  feed: Feed,
  caller: Parameters<Feed['open']>[1],
): AsyncGenerator<readonly string[]> {
  const reading = await feed.open({}, caller)
  let after: string | undefined
  do {
    const { entries, next } = await reading.list(after, atOnce)
    yield entries.map((entry) => printInsert({ feed, reading }, entry))
    after = next
  } while (after !== undefined)
}
