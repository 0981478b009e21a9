import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromContentList } from './samples/accommodations.ts'
import { fromStationTree } from './samples/charging-stations.ts'
import { fromAnnouncements } from './samples/province-traffic.ts'

/**
 * Converts responses and payloads of real services to the canonical push formats, as NDJSON:
 * node scripts/samples-to-canonical.ts <folder> > real.ndjson && ./bin/hub import real.ndjson
 */

const samples: readonly {
  readonly file: string
  readonly convert: (read: unknown) => readonly object[]
}[] = [
  {
    file: 'content/accommodation/accommodation-list-10-full-2021.json',
    convert: (read) => [fromContentList('Accommodation', read)],
  },
  {
    file: 'timeseries/echarging/tree-EChargingStation-number-available-latest.json',
    convert: fromStationTree,
  },
  { file: 'timeseries/events/province-bz-traffic-out.json', convert: fromAnnouncements },
]

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Which folder? It holds the samples named in this script.')
  process.exit(2)
}
for (const { file, convert } of samples) {
  for (const message of convert(JSON.parse(readFileSync(join(folder, file), 'utf8')))) {
    console.log(JSON.stringify(message))
  }
}
