import { execFileSync } from 'node:child_process'
import { dirname, relative } from 'node:path'
import { createVitest } from 'vitest/node'

/** A test file that a change can affect. */
export type AffectedTest = { readonly project: string; readonly file: string }

export type Selection = {
  readonly files: readonly string[]
  /** Number of affected files per project that only a full run covers. */
  readonly leftOut: ReadonlyMap<string, number>
}

/**
 * Limit of database test files. This many take half a minute on two cores, as long as all unit
 * tests.
 */
const databaseFiles = 20

/**
 * Selects the tests to run before a push: all affected unit tests, and the affected database tests
 * that are closest to the changed files. Tests of whole processes, browsers and the clock are left
 * to the full run.
 * @param changed paths of the changed files
 */
export function selectTests(
  affected: readonly AffectedTest[],
  changed: readonly string[],
): Selection {
  const ofProject = (name: string) => affected.filter(({ project }) => project === name)
  const nearest = ofProject('db')
    .map(({ file }) => ({
      file,
      near: Math.max(0, ...changed.map((path) => nearness(file, path))),
    }))
    .toSorted((a, b) => b.near - a.near || a.file.localeCompare(b.file))
    .slice(0, databaseFiles)
  const files = [...ofProject('unit').map(({ file }) => file), ...nearest.map(({ file }) => file)]
  const leftOut = new Map<string, number>()
  for (const { project, file } of affected)
    if (!files.includes(file)) leftOut.set(project, (leftOut.get(project) ?? 0) + 1)
  return { files, leftOut }
}

/** Counts the leading folders that two paths share; infinite for the same file. */
function nearness(test: string, changed: string): number {
  if (test === changed) return Infinity
  const [a, b] = [test, changed].map((path) => dirname(path).split('/'))
  const different = a?.findIndex((name, index) => name !== b?.[index]) ?? 0
  return different === -1 ? (a?.length ?? 0) : different
}

/**
 * Replaces `--changed` or `--changed=<commit>` with the test files that are worth running before a
 * push, and prints what is left out. Other arguments stay as they are.
 * @returns undefined if the change affects no test
 */
export async function narrowToChange(
  wanted: readonly string[],
): Promise<readonly string[] | undefined> {
  const flag = wanted.find((one) => /^--changed(=|$)/.test(one))
  if (flag === undefined) return wanted
  const [, since = 'HEAD'] = flag.split('=')
  const { files, leftOut } = selectTests(await findAffected(since), findChanged(since))
  for (const [project, count] of leftOut)
    console.log(`LEFT TO npm test: ${String(count)} affected files of the project ${project}`)
  if (files.length === 0) return undefined
  return [...wanted.filter((one) => one !== flag), ...files]
}

/** Finds the affected tests with vitest, which follows the imports of every test. */
async function findAffected(since: string): Promise<readonly AffectedTest[]> {
  const vitest = await createVitest({ watch: false, run: true, changed: since })
  try {
    const found = await vitest.getRelevantTestSpecifications()
    return found.map(({ project, moduleId }) => ({
      project: project.name,
      file: relative(vitest.config.root, moduleId),
    }))
  } finally {
    await vitest.close()
  }
}

/** Lists files that changed in commits since then or in the working tree, and untracked files. */
function findChanged(since: string): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { encoding: 'utf8' })
      .split('\n')
      .filter((path) => path !== '')
  return [
    ...git('diff', '--name-only', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}
