/** Rows of `measurement` that share where they come from and when. */
type Rows = {
  readonly ids: readonly number[]
  /** ISO 8601 in UTC. */
  readonly times: readonly string[]
  readonly values: readonly (number | string)[]
  readonly provenanceId: number | null
  readonly transactionTime: string
}

/** Rows that are sent while the next ones are made. */
const atOnce = 2_000

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const header = Buffer.concat([signature, Buffer.alloc(8)])
const trailer = Buffer.from([0xff, 0xff])

/** Where a row has its id, its time and its number: behind the number of columns, each behind its length. */
const [idAt, timeAt, numberAt] = [6, 14, 26]

/**
 * Numbers in the binary format of COPY (PostgreSQL, COPY, file formats), which both sides have less work with than with
 * text: series, time, number, provenance, transaction time.
 */
export function* binaryRows({ ids, times, values, ...common }: Rows): Generator<Buffer> {
  const pattern = patternOf(common)
  const microseconds = rememberTimes()
  yield header
  for (let first = 0; first < ids.length; first += atOnce) {
    const count = Math.min(atOnce, ids.length - first)
    const rows = Buffer.alloc(count * pattern.length, pattern)
    for (let index = 0; index < count; index += 1) {
      const at = index * pattern.length
      rows.writeInt32BE(ids[first + index] ?? 0, at + idAt)
      rows.writeBigInt64BE(microseconds(times[first + index] ?? ''), at + timeAt)
      // As in text, there is no zero with a sign.
      rows.writeDoubleBE(Number(values[first + index]) + 0, at + numberAt)
    }
    yield rows
  }
  yield trailer
}

/** A row without what is its own. */
function patternOf({
  provenanceId,
  transactionTime,
}: Pick<Rows, 'provenanceId' | 'transactionTime'>) {
  const [four, eight] = [Buffer.alloc(4), Buffer.alloc(8)]
  const written = Buffer.alloc(8)
  written.writeBigInt64BE(toMicroseconds(transactionTime))
  const provenance = Buffer.alloc(4)
  provenance.writeInt32BE(provenanceId ?? 0)
  const columns = [four, eight, eight, provenanceId === null ? undefined : provenance, written]
  const count = Buffer.from([0, columns.length])
  return Buffer.concat([count, ...columns.flatMap((column) => [lengthOf(column), column ?? empty])])
}

const empty = Buffer.alloc(0)

/** Null has the length -1. */
function lengthOf(column: Buffer | undefined): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(column?.length ?? -1)
  return length
}

const epoch = Date.UTC(2000, 0, 1)

/** Since the beginning of 2000. The decimals behind milliseconds are read by themselves, since no number holds both. */
function toMicroseconds(time: string): bigint {
  const further = time.length === withMicroseconds ? Number(time.slice(23, 26)) : 0
  return BigInt(Date.parse(time) - epoch) * 1000n + BigInt(further)
}

const withMicroseconds = '2026-11-20T12:00:00.000000Z'.length

/** Series mostly share their times. */
function rememberTimes(): (time: string) => bigint {
  const known = new Map<string, bigint>()
  return (time) => {
    const found = known.get(time) ?? toMicroseconds(time)
    known.set(time, found)
    return found
  }
}
