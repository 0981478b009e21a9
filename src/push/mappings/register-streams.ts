import type { Transaction } from '../../storage/index.ts'
import { listStreams, storeStream } from '../streams.ts'
import type { LoadedMapping } from './definition/loaded-mapping.ts'

type Registered = Pick<LoadedMapping, 'stream' | 'definition'>

/**
 * Has streams treated as their mappings say. What a mapping does not say stays as the operator set it
 * (`hub push stream`).
 */
export async function registerStreams(
  tx: Transaction,
  mappings: readonly Registered[],
): Promise<void> {
  const known = new Map((await listStreams(tx)).map((one) => [one.stream, one]))
  for (const { stream, definition } of mappings) {
    const { ordered, keepDays, mediaTypes } = definition
    if (ordered === undefined && keepDays === undefined && mediaTypes === undefined) continue
    const before = known.get(stream)
    await storeStream(tx, {
      stream,
      isOrdered: ordered ?? before?.isOrdered ?? false,
      keepDays: keepDays ?? before?.keepDays ?? null,
      mediaTypes: mediaTypes?.map((type) => type.toLowerCase()) ?? before?.mediaTypes ?? null,
    })
  }
}
