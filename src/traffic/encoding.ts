import { parseWeights } from '../http/index.ts'
import { encodings } from './feed-document.ts'
import type { Encoding } from './feed-document.ts'

/**
 * The encoding that `Accept-Encoding` prefers (RFC 9110 section 12.5.3); among equals the smallest
 * result. Without the header, and when nothing fits, the bytes go as they are.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map(
    parseWeights(acceptEncoding ?? '').map(({ name, weight }) => [
      // RFC 9110 section 8.4.1.3: the same coding.
      name === 'x-gzip' ? 'gzip' : name,
      weight,
    ]),
  )
  let chosen: Encoding = 'identity'
  let best = 0
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return chosen
}
