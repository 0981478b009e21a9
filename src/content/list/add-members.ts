import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AddedMember } from '../entity.ts'
import { parseRecord } from '../formats/record-members.ts'
import type { LoadedRecord } from '../formats/index.ts'

/** So many characters are put together in some milliseconds. */
const mostPerTurn = 200_000

/** Records with the members that are added when they are read, in the place of stored ones. */
export async function addMembers(
  members: readonly AddedMember[],
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  if (members.length === 0) return records
  const complete: LoadedRecord[] = []
  let size = 0
  for (const record of records) {
    const added = members.reduce(addMember, record)
    complete.push(added)
    size += added.data.length
    if (size < mostPerTurn) continue
    size = 0
    await nextTurn()
  }
  return complete
}

/** Texts are joined where they can be: nothing is parsed for what is not looked at. */
function addMember({ id, data }: LoadedRecord, { name, textOf }: AddedMember): LoadedRecord {
  const text = textOf(id)
  const written = JSON.stringify(name)
  if (!data.includes(written) && data !== '{}') {
    return { id, data: `${data.slice(0, -1)}, ${written}: ${text}}` }
  }
  const value: unknown = JSON.parse(text)
  return { id, data: JSON.stringify({ ...parseRecord(data), [name]: value }) }
}
