import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

const smallestWorthPacking = 1024

/**
 * Brotli at quality 1 packs JSON faster and smaller than gzip; Node's default of 11 is two hundred
 * times slower (measured, docs/performance.md).
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    global: true,
    // Request bodies are unpacked by those who cap what may come out (decision D51).
    globalDecompression: false,
    threshold: smallestWorthPacking,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: 1 },
  })
}
