import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { execFileSync } from 'node:child_process'

/** Size of `src` without its tests. */
export type FileMeasures = {
  readonly files: number
  readonly lines: number
  /** Lines of the file in the middle, and of the one that nine of ten do not exceed. */
  readonly 'lines of the median file': number
  readonly 'lines of the 90th percentile': number
  readonly 'percent of files with one importer': number
}

/** Measures the files of `src` that git tracks. */
export async function measureFiles(): Promise<FileMeasures> {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const importers = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]))
  const lines: number[] = []
  for (const path of paths) {
    const text = await readFile(path, 'utf8')
    lines.push(text.split('\n').length - 1)
    for (const imported of importsOf(path, text)) importers.get(imported)?.add(path)
  }
  lines.sort((one, other) => one - other)
  const at = (share: number) => lines[Math.floor((lines.length - 1) * share)] ?? 0
  const single = [...importers.values()].filter(({ size }) => size === 1).length
  return {
    files: paths.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    'lines of the median file': at(0.5),
    'lines of the 90th percentile': at(0.9),
    'percent of files with one importer': Math.round((100 * single) / Math.max(1, paths.length)),
  }
}

function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import) '(\.[^']+\.ts)'/g)].map(([, target = '']) =>
    normalize(join(dirname(path), target)),
  )
}
