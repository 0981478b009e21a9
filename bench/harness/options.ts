import { parseArgs } from 'node:util'

const everyRecord = 200_000
const recordsOfTrend = 20_000
const millionsOfLarge = 300

/** The options of the command line. Exits with 2 if they are not valid. */
export const { names, writes, records, isQuick, isBudget, isLarge, largeValues } = readOptions()

function readOptions() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        write: { type: 'boolean' },
        records: { type: 'string' },
        quick: { type: 'boolean' },
        budget: { type: 'boolean' },
        large: { type: 'boolean' },
        values: { type: 'string' },
      },
    })
    const { write = false, budget = false, large = false, quick = budget } = values
    const isNamed = positionals.length > 0
    if (values.values !== undefined && !large)
      throw new Error('--values is of --large: the millions of values, such as 300.')
    if (large && (isNamed || write || quick || values.records !== undefined))
      throw new Error('--large runs a choice of its own: leave everything but --values out.')
    if (quick && isNamed)
      throw new Error('--quick and --budget run a choice of their own: leave names out.')
    const found = toRecords(values.records ?? String(quick ? recordsOfTrend : everyRecord))
    if (write && (isNamed || quick || found !== everyRecord))
      throw new Error('--write replaces the whole table: leave names, --records and --quick out.')
    return {
      names: positionals,
      writes: write,
      records: found,
      isQuick: quick,
      isBudget: budget,
      isLarge: large,
      largeValues: toMillions(values.values ?? String(millionsOfLarge)),
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

function toRecords(text: string): number {
  if (/^[1-9]\d{0,3}000$/.test(text)) return Number(text)
  throw new Error('--records takes a number of thousands, such as 30000.')
}

function toMillions(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text) * 1_000_000
  throw new Error('--values takes a number of millions, such as 300.')
}
