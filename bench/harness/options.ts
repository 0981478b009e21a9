import { parseArgs } from 'node:util'

const everyRecord = 200_000

/** What the command line asks for. Ends the process with 2 when that is not understood. */
export const { names, writes, records } = readOptions()

function readOptions() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { write: { type: 'boolean' }, records: { type: 'string' } },
    })
    const { write = false, records = String(everyRecord) } = values
    if (!/^[1-9]\d{0,3}000$/.test(records))
      throw new Error('--records takes a number of thousands, such as 30000.')
    const isWhole = positionals.length === 0 && Number(records) === everyRecord
    if (write && !isWhole)
      throw new Error('--write replaces the whole table: leave names and --records out.')
    return { names: positionals, writes: write, records: Number(records) }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}
