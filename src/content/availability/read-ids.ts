import { AppError } from '../../errors/index.ts'
import { toItems } from '../filters/values.ts'

const mostIds = 1000

/**
 * The accommodations that a body names: a JSON text with commas between identifiers, or an array of
 * them; nothing, null and an empty text name none (reference content.md 8.2).
 * @throws AppError HUB-BDY-001 for anything else, and for more than a thousand
 */
export function readIds(body: unknown): readonly string[] {
  if (body === undefined || body === null) return []
  const written: readonly unknown[] = typeof body === 'string' ? body.split(',') : [body].flat()
  const ids = toItems(written.map(assertText))
  if (ids.length <= mostIds) return ids
  throw new AppError('HUB-BDY-001', `The body names ${String(ids.length)} accommodations.`, {
    issues: [{ pointer: '', detail: 'is too long', expected: [`${String(mostIds)} identifiers`] }],
    hint: 'Ask for them in several requests, or name none and filter.',
  })
}

function assertText(id: unknown): string {
  if (typeof id === 'string' && !id.includes('\0')) return id
  throw new AppError('HUB-BDY-001', 'The body names no accommodations.', {
    issues: [
      {
        pointer: '',
        detail: 'is neither a text nor an array of texts',
        expected: ['"<id>,<id>"', '["<id>", "<id>"]', 'nothing'],
      },
    ],
  })
}
