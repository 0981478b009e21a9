import type { FastifyReply } from 'fastify'
import { AppError } from '../errors/index.ts'
import { answerRead, isPublic, withheldHeader } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { StationSource } from '../timeseries/index.ts'
import type { KeptExit } from './keep-exit.ts'

/** How long callers may keep an answer, in seconds: clients of these standards poll about as often. */
const freshFor = 20

type Wanted = {
  /** The exit that answers at such addresses, where there is one. */
  readonly kept: KeptExit | undefined
  readonly path: string
  /** What to do where there is no such document. */
  readonly hint: string
}

/**
 * Answers with a document of an exit: the same for every caller, for anonymous rights apply.
 * @throws AppError HUB-RTE-003 where there is no such document
 */
export async function answerDocument(
  exchange: Exchange,
  source: Pick<StationSource, 'isPartial'>,
  { kept, path, hint }: Wanted,
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
