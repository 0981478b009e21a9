import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseRecord } from '../formats/record-members.ts'
import type { LoadedRecord } from '../formats/index.ts'
import type { Rewrite } from '../entity.ts'

/** So many characters of records are parsed in some milliseconds. */
const mostPerTurn = 200_000

/**
 * Records as parameters such as `denormalize` want them shown: changed, or split into several. What is
 * made of one page is put in order within it; totals count the records that were there before.
 */
export async function rewriteRecords(
  rewrites: readonly Rewrite[],
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  let rewritten = records
  for (const rewrite of rewrites) rewritten = await rewriteEach(rewrite, rewritten)
  return rewritten
}

async function rewriteEach(
  { toShown: toOwn, load, sortKey }: Rewrite,
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  const toShown = (await load?.(records.map(({ data }) => parseRecord(data)))) ?? toOwn
  const shown: (LoadedRecord & { readonly key: string })[] = []
  let size = 0
  for (const { id, data } of records) {
    for (const record of toShown(parseRecord(data))) {
      shown.push({ id, data: JSON.stringify(record), key: sortKey?.(record) ?? '' })
    }
    size += data.length
    if (size < mostPerTurn) continue
    size = 0
    await nextTurn()
  }
  if (sortKey === undefined) return shown
  return shown.sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)))
}
