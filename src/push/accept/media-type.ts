import { AppError } from '../../errors/index.ts'
import type { StreamSettings } from '../streams.ts'

/** Insists on a media type that the stream declares, if it does (decision D51). @throws AppError HUB-BDY-003 */
export function assertMediaType(
  settings: StreamSettings | undefined,
  contentType: string | undefined,
): void {
  const wanted = settings?.mediaTypes ?? null
  if (wanted === null) return
  const [sent = ''] = (contentType ?? '').split(';')
  if (wanted.includes(sent.trim().toLowerCase())) return
  const came = contentType === undefined ? 'none' : contentType
  throw new AppError('HUB-BDY-003', `This stream takes no body of this Content-Type: ${came}.`, {
    hint: `Send one of: ${wanted.join(', ')}.`,
    headers: { accept: wanted.join(', ') },
  })
}
