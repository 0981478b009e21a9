import { encodings } from './feed-document.ts'
import type { Encoding } from './feed-document.ts'

/**
 * The encoding that `Accept-Encoding` prefers (RFC 9110 section 12.5.3); among equals the smallest
 * result. Without the header, and when nothing fits, the bytes go as they are.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map((acceptEncoding ?? '').split(',').map(parseCoding))
  let chosen: Encoding = 'identity'
  let best = 0
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return chosen
}

/** `gzip;q=0.5` → `gzip`, 0.5 */
function parseCoding(text: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return [coding === 'x-gzip' ? 'gzip' : coding, weight >= 0 && weight <= 1 ? weight : 0]
}
