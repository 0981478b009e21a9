const lineFeed = 10
const quote = 34

/**
 * Counts the records of a file while it passes by, in formats with a record a line; undefined in others.
 * Of CSV the first line is the head, and lines within quotes are not records (RFC 4180).
 */
export function recordCounter(format: string): (chunk: Uint8Array) => number | undefined {
  const isCsv = format === 'csv' || format === 'excel'
  if (!isCsv && format !== 'ndjson') return () => undefined
  let lines = 0
  let isQuoted = false
  return (chunk) => {
    for (const byte of chunk) {
      if (isCsv && byte === quote) isQuoted = !isQuoted
      else if (byte === lineFeed && !isQuoted) lines += 1
    }
    return isCsv ? Math.max(0, lines - 1) : lines
  }
}
