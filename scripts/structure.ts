import { readFile, writeFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { measureFiles } from './structure/files.ts'
import { measureRequests, requestNames } from './structure/requests.ts'

/**
 * Measures the structure of `src`: its size, and the files that run for a list, latest values, a
 * push with a mapping, a traffic feed and a saved record. Fails if a measure is more than a tenth
 * above the value in structure.json. `--record` records the current values, for a change that
 * intends to raise them.
 */

const record = new URL('structure/structure.json', import.meta.url)

const tolerance = 1.1

const requests = await measureRequests()
const measures: Record<string, number> = {
  ...(await measureFiles()),
  ...Object.fromEntries(
    requestNames.map((name) => [`files that answer: ${name}`, requests[name].length]),
  ),
}

if (process.argv.includes('--record')) {
  await writeFile(record, `${JSON.stringify(measures, null, 2)}\n`)
}
const recorded = Parse(
  Type.Record(Type.String(), Type.Number()),
  JSON.parse(await readFile(record, 'utf8')),
)
const grown = Object.keys(measures).filter(
  (name) => (measures[name] ?? 0) > (recorded[name] ?? Infinity) * tolerance,
)
for (const [name, value] of Object.entries(measures)) {
  const mark = grown.includes(name) ? '  more than a tenth above' : ''
  console.log(`${String(value).padStart(6)} of ${String(recorded[name])}  ${name}${mark}`)
}
if (process.argv.includes('--files')) console.log(JSON.stringify(requests, null, 2))

/** CONTRIBUTING.md shows the path of a list request in a table: step, file, what happens. */
const contributing = await readFile('CONTRIBUTING.md', 'utf8')
const shown = [...contributing.matchAll(/^\| \w* *\| `(src\/\S+\.ts)`/gm)].map(
  ([, file = '']) => file,
)
const wrong = shown.filter((file) => !requests.list.includes(file))
for (const file of wrong) console.log(`CONTRIBUTING.md: ${file} does not run for a list`)
process.exit(grown.length > 0 || wrong.length > 0 || shown.length === 0 ? 1 : 0)
