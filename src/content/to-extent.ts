import { AppError } from '../errors/index.ts'
import { streamedFormats } from './formats/index.ts'
import type { Choice } from './formats/index.ts'
import type { ListPlan } from './list/plan.ts'

/** More than any dataset has. */
const everything = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER, cursor: undefined }

/**
 * What of a plan becomes different when all matching records are wanted at once.
 * @throws AppError HUB-QRY-001 when that is wanted in a format that is not streamed
 */
export function toExtent(
  { stream }: { readonly stream: boolean },
  { format }: Choice,
): Partial<Pick<ListPlan, 'pageNumber' | 'pageSize' | 'cursor'>> {
  if (!stream) return {}
  if (format.streams) return everything
  throw new AppError('HUB-QRY-001', `stream is not there for the format ${format.name}.`, {
    issues: [
      {
        parameter: 'stream',
        detail: `is true, but the answer would be ${format.name}`,
        expected: streamedFormats.map((name) => `format=${name}`),
      },
    ],
  })
}
