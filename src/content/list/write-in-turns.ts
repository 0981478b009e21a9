import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LoadedRecord, Writer } from '../formats/index.ts'

/** So many characters of records are parsed and printed in some milliseconds. */
const mostPerTurn = 200_000

/**
 * The texts of some records, in turns: between two of them the process does what else is waiting, so
 * that a large page holds nobody up.
 * @param most characters of a turn
 */
export async function* writeInTurns(
  writer: Writer,
  records: readonly LoadedRecord[],
  most = mostPerTurn,
): AsyncGenerator<string, void, undefined> {
  let turn: LoadedRecord[] = []
  let size = 0
  for (const record of records) {
    turn.push(record)
    size += record.data.length
    if (size < most) continue
    yield writer.records(turn)
    turn = []
    size = 0
    await nextTurn()
  }
  if (turn.length > 0) yield writer.records(turn)
}
