import type { Exchange } from './answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts this request as many, because it takes the database long; absent where nothing is counted.
     * @throws AppError HUB-QTA-002 when that exhausts the quota of its caller
     */
    countAsHeavy?: (reply: FastifyReply) => Promise<void>
  }
}

/** What a request reads from that may keep the database busy for seconds, once it is counted as one (decision D70). */
export async function heavyReads<Reads>(
  { request, reply }: Exchange,
  database: { readonly heavy: () => Reads },
): Promise<Reads> {
  await request.countAsHeavy?.(reply)
  return database.heavy()
}
