import type { AnswerEarly, EarlyAnswer } from '../http/index.ts'
import { toAnswer } from './answer.ts'
import type { Asked } from './answer.ts'
import type { TrafficFeed } from './feed.ts'
import type { FeedDocument } from './feed-document.ts'

type Deps = {
  readonly feed: TrafficFeed
  readonly clock: () => Date
  /** What every answer carries beside the headers of the document. */
  readonly more: () => Readonly<Record<string, string>>
}

/** What an answer without a body depends on: the document itself is large, and not to be held. */
type Basis = {
  readonly etag: string
  readonly lastModified: number
  readonly more: Readonly<Record<string, string>>
}

/** Answers the same request for a provider's feed again and again, as the route does. */
export function earlyFeed({ feed, clock, more }: Deps, slug: string, asked: Asked): AnswerEarly {
  let last: { readonly basis: Basis; readonly answer: EarlyAnswer } | undefined
  const answer = (document: FeedDocument, now: Date) => {
    const { lastModified } = document
    const basis = { etag: document.etag('identity'), lastModified, more: more() }
    if (last !== undefined && isSame(last.basis, basis) && lastModified <= now.getTime())
      return last.answer
    const { status, headers, bytes } = toAnswer({ document, now, audience: 'public' }, asked)
    const all = { ...headers, ...basis.more }
    if (bytes !== undefined)
      return bytes().then((body): EarlyAnswer => ({ status, headers: all, body }))
    last = { basis, answer: { status, headers: all } }
    return last.answer
  }
  return () => {
    const now = clock()
    const document = feed.ready(slug, now)
    if (document !== undefined) return answer(document, now)
    return feed.document(slug, now).then((built) => built && answer(built, now))
  }
}

function isSame(before: Basis, { etag, lastModified, more }: Basis): boolean {
  return before.etag === etag && before.lastModified === lastModified && before.more === more
}
