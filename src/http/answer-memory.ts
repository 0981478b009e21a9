import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Readable, Transform, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { shareNext, shareRunning } from '../async/index.ts'
import type { Encoding } from './negotiate.ts'

/** The response to a read. */
export type Answer = {
  readonly body: string | Uint8Array | Readable
  readonly type: string
  /** Without an entity tag there is never a 304. */
  readonly etag?: string
  /** Further headers that belong to the body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Absolute URL of the next page. */
  readonly next?: string | undefined
}

/** A cached response. */
export type KeptAnswer = Omit<Answer, 'body'> & {
  readonly length: number
  readonly bytes: PackedBytes
  /**
   * Whether to send it as a stream, as it was first sent, so that no header shows that it was
   * cached.
   */
  readonly isStream: boolean
}

/**
 * A cache of responses by their entity tags. A tag covers the state of everything that a response
 * shows, including the caller's rights, so a cached response equals the one that would be computed.
 * For each request only the tag is computed, in one short statement, so no response is ever stale,
 * on any number of nodes.
 *
 * A response is cached once it was requested twice without a change in between, so that responses
 * nobody requests again cost nothing. If every request finds a new state, the tag is no longer
 * computed first.
 */
export type AnswerMemory = {
  /**
   * Reports whether a response to this request is cached, so that computing its tag first is
   * worthwhile.
   */
  readonly expects: (key: string) => boolean
  /** Computes the tag, once for all callers that wait for the same computation to start. */
  readonly findTag: (key: string, find: FindTag) => Promise<string>
  readonly find: (key: string, etag: string) => KeptAnswer | undefined
  /** Runs a read once for all callers that found the same new tag. */
  readonly run: (etag: string, run: () => Answer | Promise<Answer>) => Promise<Answer>
  /** Returns how many requests were served from the cache, and how many were not. */
  readonly uses: () => { readonly hit: number; readonly miss: number }
  /**
   * Records a response, and caches it if it is likely to be requested again. A stream is cached
   * when it has ended, if its tag is still the same then, because its end was read later than its
   * start.
   * @returns the response to send
   */
  readonly note: (key: string, answer: Answer, tag: FindTag) => Answer
}

type FindTag = () => string | Promise<string>

type Last = {
  readonly etag: string
  /** How often the response with this tag was requested again. */
  readonly hits: number
}

/** A response larger than this fraction (1/n) of the cache is not cached. */
const largestPart = 8

const maxRequests = 20_000

/** Bytes of a cached response in addition to its body. */
const overhead = 1000

/** The compression quality of uncached responses too. */
const fastest = 1

/**
 * Creates a cache.
 * @param maxBytes limit on all cached responses together, uncompressed
 */
export function createAnswerMemory(maxBytes: number): AnswerMemory {
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, maxBytes / largestPart),
    sizeCalculation: ({ length }) => length + overhead,
  })
  const last = new LRUCache<string, Last>({ max: maxRequests })
  const uses = { hit: 0, miss: 0 }
  const shareTag = shareNext<string>()
  const keep = keeperIn(answers, maxBytes / largestPart)
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

/**
 * Returns a function that passes a stream through and gives its whole content to `take`. Collects
 * one stream at a time, so that memory for one response suffices.
 */
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
      // Failing to cache does not matter: the response has been sent.
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
    // A stream has only one reader, so the others run the read themselves.
    return runs.length > 0 || !(answer.body instanceof Readable) ? answer : run()
  }
}

/** Returns a key that differs for requests whose responses may differ. */
export function requestKey({ url, headers }: FastifyRequest): string {
  const { accept = '', 'accept-language': language = '', authorization = '', prefer = '' } = headers
  return [url, accept, language, authorization, String(prefer)].join('\n')
}

/** Returns the same bytes in any encoding, compressed once, when first requested. */
export type PackedBytes = (encoding: Encoding) => Promise<Buffer>

/**
 * Compresses bytes once per encoding.
 * @param quality of Brotli, 0 to 11: higher is smaller and slower
 */
export function packOnce(plain: Buffer, quality: number): PackedBytes {
  const packed = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const bytes = packed.get(encoding) ?? pack(plain, encoding, quality)
    packed.set(encoding, bytes)
    return bytes
  }
}

function pack(plain: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  switch (encoding) {
    case 'identity':
      return Promise.resolve(plain)
    case 'gzip':
      return promisify(gzip)(plain)
    case 'br':
      return promisify(brotliCompress)(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: quality },
      })
  }
}
