import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError } from '../../errors/index.ts'

const gunzipped = promisify(gunzip)

/**
 * The body as the provider made it: gzip is unpacked, with a cap on what comes out (decision D51).
 * @throws AppError HUB-BDY-001, HUB-BDY-002, HUB-BDY-003
 */
export async function unpack(
  sent: Uint8Array<ArrayBuffer>,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const coding = (encoding ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return sent
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    throw new AppError('HUB-BDY-003', `Content-Encoding ${coding} is not taken.`, {
      hint: 'Send the body as it is, or with gzip.',
      headers: { 'accept-encoding': 'gzip, identity' },
    })
  }
  try {
    return await gunzipped(sent, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit)
    throw new AppError('HUB-BDY-001', 'The body says gzip, but cannot be unpacked.', {
      cause: error,
    })
  }
}

function tooLarge(limit: number): AppError {
  return new AppError('HUB-BDY-002', `The body has more than ${String(limit)} bytes, unpacked.`)
}
