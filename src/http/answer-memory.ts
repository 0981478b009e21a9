import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Readable, Transform, pipeline } from 'node:stream'
import { shareNext, shareRunning } from '../async/index.ts'
import { packOnce } from './request-hooks.ts'
import type { PackedBytes } from './request-hooks.ts'

/** What a read is answered with. */
export type Answer = {
  readonly body: string | Uint8Array | Readable
  readonly type: string
  /** Without it no request is answered 304. */
  readonly etag?: string
  /** Further headers, which belong to the body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Absolute address of the page behind this one. */
  readonly next?: string | undefined
}

/** An answer that is ready to be sent again. */
export type KeptAnswer = Omit<Answer, 'body'> & {
  readonly length: number
  readonly bytes: PackedBytes
  /** What was sent as a stream is, again: no header says whether it was kept. */
  readonly isStream: boolean
}

/**
 * Answers that are requested again and again, by their entity tags: a tag names the state of everything
 * that an answer shows, the caller's rights among it, so what is sent again is what would be made again.
 * Only the tag is read again for each request, in one short statement; so no answer is ever old, on any
 * number of nodes.
 *
 * Kept is what was requested twice without a change between, so that answers nobody requests again cost
 * nothing. Where every request finds another state the tag is not read first any more.
 */
export type AnswerMemory = {
  /** Whether an answer to such a request is kept, so that it pays to find out its tag first. */
  readonly expects: (key: string) => boolean
  /** Finds out the tag: once for all who wait for the same to begin. */
  readonly findTag: (key: string, find: FindTag) => Promise<string>
  readonly find: (key: string, etag: string) => KeptAnswer | undefined
  /** Runs a read once for all who found the same new tag. */
  readonly run: (etag: string, run: () => Answer | Promise<Answer>) => Promise<Answer>
  /** How many requests were answered from here, and how many were not. */
  readonly uses: () => { readonly hit: number; readonly miss: number }
  /**
   * Takes note of an answer, and keeps it where it is likely to be requested again: a stream once it has ended, if it
   * then still has its tag, as its end was read later than its beginning.
   * @returns the answer to send
   */
  readonly note: (key: string, answer: Answer, tag: FindTag) => Answer
}

type FindTag = () => string | Promise<string>

type Last = {
  readonly etag: string
  /** How often the answer of this tag was requested again. */
  readonly hits: number
}

/** Of one answer more than this part of all memory is not kept. */
const largestPart = 8

const mostRequests = 20_000

/** Beside the bytes themselves. */
const overhead = 1000

/** The quality at which answers are packed as they are sent, too. */
const fastest = 1

/** @param mostBytes of all answers together, before they are packed */
export function createAnswerMemory(mostBytes: number): AnswerMemory {
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: Math.max(1, mostBytes),
    maxEntrySize: Math.max(1, mostBytes / largestPart),
    sizeCalculation: ({ length }) => length + overhead,
  })
  const last = new LRUCache<string, Last>({ max: mostRequests })
  const uses = { hit: 0, miss: 0 }
  const shareTag = shareNext<string>()
  const keep = keeperIn(answers, mostBytes / largestPart)
  return {
    expects: (key) => {
      const isKept = answers.has(last.get(key)?.etag ?? '')
      if (!isKept) uses.miss += 1
      return isKept
    },
    findTag: (key, find) => shareTag(key, async () => find()),
    find: (key, etag) => {
      const kept = answers.get(etag)
      uses[kept === undefined ? 'miss' : 'hit'] += 1
      if (kept !== undefined) last.set(key, { etag, hits: (last.get(key)?.hits ?? 0) + 1 })
      return kept
    },
    run: runTogether(),
    uses: () => ({ ...uses }),
    note: (key, answer, tag) => {
      const { etag } = answer
      if (etag === undefined) return answer
      const before = last.get(key)
      const isSame = before?.etag === etag
      last.set(key, { etag, hits: isSame ? before.hits + 1 : 0 })
      const isLikely = before !== undefined && (isSame || before.hits > 0)
      return isLikely ? keep({ ...answer, etag }, tag) : answer
    },
  }
}

function keeperIn(answers: LRUCache<string, KeptAnswer>, most: number) {
  const collect = collector(most)
  return (answer: Answer & { readonly etag: string }, tag: FindTag): Answer => {
    const { body, ...described } = answer
    const { etag } = answer
    const isStream = body instanceof Readable
    const keep = (plain: Buffer) => {
      const bytes = packOnce(plain, fastest)
      answers.set(etag, { ...described, length: plain.length, bytes, isStream })
    }
    if (isStream) {
      const keepIfSame = async (plain: Buffer) => {
        if ((await tag()) === etag) keep(plain)
      }
      return { ...answer, body: collect(body, keepIfSame) }
    }
    if (body.length <= most) keep(Buffer.from(body))
    return answer
  }
}

/** Hands streams on, and what they had to `take`: one at a time, so that collecting takes no more than one answer does. */
function collector(most: number) {
  let isBusy = false
  return (body: Readable, take: (whole: Buffer) => Promise<void>): Readable => {
    if (isBusy) return body
    isBusy = true
    let [pieces, length]: [Buffer[], number] = [[], 0]
    const through = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        length += piece.length
        if (length > most) pieces = []
        else pieces.push(piece)
        done(null, piece)
      },
    })
    return pipeline(body, through, (error) => {
      isBusy = false
      if (error instanceof Error || length > most) return
      // What cannot be kept was sent all the same.
      take(Buffer.concat(pieces)).catch(() => undefined)
    })
  }
}

function runTogether(): AnswerMemory['run'] {
  const share = shareRunning<Answer>()
  return async (etag, run) => {
    const runs: (Answer | Promise<Answer>)[] = []
    const answer = await share(etag, async () => {
      const own = run()
      runs.push(own)
      return own
    })
    // A stream is read by one.
    return runs.length > 0 || !(answer.body instanceof Readable) ? answer : run()
  }
}

/** What distinguishes requests whose answers may differ. */
export function requestKey({ url, headers }: FastifyRequest): string {
  const { accept = '', 'accept-language': language = '', authorization = '', prefer = '' } = headers
  return [url, accept, language, authorization, String(prefer)].join('\n')
}
