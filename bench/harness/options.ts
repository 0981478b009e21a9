import { parseArgs } from 'node:util'

const everyRecord = 200_000
const recordsOfTrend = 20_000

/** What the command line requests. Ends the process with 2 when that is not understood. */
export const { names, writes, records, isQuick, isBudget } = readOptions()

function readOptions() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        write: { type: 'boolean' },
        records: { type: 'string' },
        quick: { type: 'boolean' },
        budget: { type: 'boolean' },
      },
    })
    const { write = false, budget = false } = values
    const { quick = budget } = values
    const { records = String(quick ? recordsOfTrend : everyRecord) } = values
    if (!/^[1-9]\d{0,3}000$/.test(records))
      throw new Error('--records takes a number of thousands, such as 30000.')
    if (quick && positionals.length > 0)
      throw new Error('--quick and --budget run a choice of their own: leave names out.')
    const isWhole = positionals.length === 0 && !quick && Number(records) === everyRecord
    if (write && !isWhole)
      throw new Error('--write replaces the whole table: leave names, --records and --quick out.')
    return {
      names: positionals,
      writes: write,
      records: Number(records),
      isQuick: quick,
      isBudget: budget,
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}
