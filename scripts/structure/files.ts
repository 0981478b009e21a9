import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { execFileSync } from 'node:child_process'

/** Size of `src` without its tests. */
export type FileMeasures = {
  readonly files: number
  readonly lines: number
  /** Lines of the median file, and the size that nine of ten files do not exceed. */
  readonly 'lines of the median file': number
  readonly 'lines of the 90th percentile': number
  readonly 'percent of files with one importer': number
}

/** Measures the files of `src` that git tracks, and new files that it does not ignore. */
export async function measureFiles(): Promise<FileMeasures> {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const texts = new Map<string, string>()
  for (const path of paths) texts.set(path, await readFile(path, 'utf8'))
  const lines = [...texts.values()].map((text) => text.split('\n').length - 1)
  lines.sort((one, other) => one - other)
  const at = (share: number) => lines[Math.floor((lines.length - 1) * share)] ?? 0
  const single = [...importersOf(texts).values()].filter(({ size }) => size === 1).length
  return {
    files: paths.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    'lines of the median file': at(0.5),
    'lines of the 90th percentile': at(0.9),
    'percent of files with one importer': Math.round((100 * single) / Math.max(1, paths.length)),
  }
}

type Files = ReadonlyMap<string, string>

/**
 * Returns, for each file, the files that import something from it. What an `index.ts` re-exports
 * counts as imported by those who import it from there; the re-export itself does not count.
 */
function importersOf(texts: Files): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map([...texts.keys()].map((path) => [path, new Set<string>()]))
  const passedOn = new Map([...texts].map(([path, text]) => [path, namesIn(path, text, 'export')]))
  const declaredIn = ({ file, name }: Named): string => {
    const origin = passedOn.get(file)?.find(({ as }) => as === name)
    return origin === undefined ? file : declaredIn(origin)
  }
  for (const [path, text] of texts) {
    for (const named of namesIn(path, text, 'import')) {
      importers.get(declaredIn(named))?.add(path)
    }
    for (const [, target = ''] of text.matchAll(/import\('(\.[^']+\.ts)'\)/g)) {
      importers.get(normalize(join(dirname(path), target)))?.add(path)
    }
  }
  return importers
}

/** A name that one file imports from another, and its local alias. */
type Named = { readonly file: string; readonly name: string; readonly as: string }

function namesIn(path: string, text: string, keyword: 'import' | 'export'): readonly Named[] {
  const statements = new RegExp(`^${keyword} (?:type )?\\{([^}]*)\\} from '(\\.[^']+\\.ts)'`, 'gm')
  return [...text.matchAll(statements)].flatMap(([, names = '', target = '']) =>
    names.split(',').flatMap((part) => {
      const [name = '', as = name] = part
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      return name === '' ? [] : [{ file: normalize(join(dirname(path), target)), name, as }]
    }),
  )
}
