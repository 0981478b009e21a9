import { anonymous } from '../access/index.ts'
import type { Feed } from './feed.ts'
import { isExpired } from './follow.ts'
import type { Following } from './follow.ts'
import { beginning, printInsert } from './read-page.ts'

/** A feed as callers without a token and parameters read it, from its start. */
export type Snapshot = {
  /** Equal as long as offsets of these callers stay valid: it changes with the epoch and with the rules that open data to all. */
  readonly readership: string
  /** Whether the feed can be followed from an offset. */
  readonly isValid: (offset: string) => boolean
  /** The offset is taken before the list is read: what changes meanwhile may be in both, and is never missing. */
  readonly begin: () => Promise<Begun>
}

type Begun = {
  /** Where the feed continues after the pages. */
  readonly offset: string
  /** Messages, as JSON texts. */
  readonly pages: AsyncIterable<readonly string[]>
}

/** Records of a page. */
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
