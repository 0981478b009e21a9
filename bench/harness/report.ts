import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import layout from '../../oxfmt.config.ts'
import type { Result } from './bench.ts'
import { databaseConnections, httpConnections, records, seconds } from './conditions.ts'
import { loadGenerator } from './http-load.ts'
import { settings } from './postgresql.ts'

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const [begin, end] = ['<!-- npm run bench -- --write: begin -->', '<!-- end -->']

/** Formats the results as a Markdown table. */
export function toTable(results: readonly Result[]): string {
  const head = ['What', 'Goal', 'Median', 'Worst', 'Verdict', 'Medians of the two sides']
  const lines = results.map(({ title, goal, median, worst, holds, detail }) => [
    title,
    goal,
    median,
    worst,
    holds ? 'holds' : '**missed**',
    detail,
  ])
  const rule = head.map(() => '---')
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Describes the conditions that must be known to compare the figures with those of another run. */
export function toConditions(postgresql: string, now: Date): string {
  const load = loadavg().map((average) => average.toFixed(1))
  return [
    `Run on ${now.toISOString().slice(0, 10)}; load average at the end ${load.join(', ')}.`,
    `Node ${process.versions.node}, PostgreSQL ${postgresql} with ${settings.join(', ')}.`,
    `${records.toLocaleString('en')} records; ${seconds} s for each side of a pair.`,
    `Hub and pgbench have ${databaseConnections} database connections each;`,
    `${loadGenerator} has one thread and ${httpConnections} connections to the hub.`,
  ].join('\n')
}

/** Replaces the results in `docs/performance.md` and keeps the text around them. */
export async function writePage(conditions: string, table: string): Promise<void> {
  const written = await readFile(page, 'utf8')
  const [before, after] = [written.indexOf(begin), written.indexOf(end)]
  if (before === -1 || after < before) throw new Error(`${page} has no ${begin} … ${end}.`)
  const text = `${written.slice(0, before)}${begin}\n\n${conditions}\n\n${table}\n\n${written.slice(after)}`
  const { code } = await format(page, text, layout)
  await writeFile(page, code)
}
