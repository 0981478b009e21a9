import type { FastifyReply } from 'fastify'
import { AppError } from '../errors/index.ts'
import { answerRead, isPublic, withheldHeader } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { StationSource } from '../timeseries/index.ts'
import type { KeptExit } from './keep-exit.ts'

/**
 * Seconds for which callers may cache a response. Clients of these standards poll about as often.
 */
const freshFor = 20

type DocumentRequest = {
  /** The exit that serves such paths, if there is one. */
  readonly kept: KeptExit | undefined
  readonly path: string
  /** Hint for the error if there is no such document. */
  readonly hint: string
}

/**
 * Sends a document of an exit. It is the same for every caller, because anonymous rights apply.
 * @throws AppError HUB-RTE-003 if there is no such document
 */
export async function answerDocument(
  exchange: Exchange,
  source: Pick<StationSource, 'isPartial'>,
  { kept, path, hint }: DocumentRequest,
): Promise<FastifyReply> {
  const document = (await kept?.get())?.documents.get(path)
  if (kept === undefined || document === undefined) {
    throw new AppError('HUB-RTE-003', `There is nothing at ${path}.`, { hint })
  }
  const { body, type, etag, changed } = document
  const { principal } = exchange.request
  const audience = isPublic(principal) || principal.kind === 'verified' ? 'public' : 'private'
  const caching = {
    ...(source.isPartial(kept.exit.concerned) ? withheldHeader(['records'], 'public-feed') : {}),
    'cache-control': `${audience}, max-age=${String(freshFor)}`,
    vary: 'Accept, Accept-Encoding, Authorization, Prefer',
    'last-modified': changed.toUTCString(),
  }
  return answerRead(exchange, { caching, tag: () => etag, run: () => ({ body, etag, type }) })
}
