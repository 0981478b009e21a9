import { execFileSync } from 'node:child_process'
import { dirname, relative } from 'node:path'
import { createVitest } from 'vitest/node'

/** A file of tests that a change can touch. */
export type AffectedTest = { readonly project: string; readonly file: string }

export type Selection = {
  readonly files: readonly string[]
  /** How many files of each project are left to the whole run. */
  readonly leftOut: ReadonlyMap<string, number>
}

/** So many files with a database take half a minute on two cores; all unit tests take as long. */
const databaseFiles = 20

/**
 * What to run before a push: all affected unit tests, and the affected tests with a database that are nearest to
 * what was changed. Whole processes, browsers and the clock are left to the whole run.
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

/** How many folders two files have in common from the root on; more than any folder for the file itself. */
function nearness(test: string, changed: string): number {
  if (test === changed) return Infinity
  const [a, b] = [test, changed].map((path) => dirname(path).split('/'))
  const different = a?.findIndex((name, index) => name !== b?.[index]) ?? 0
  return different === -1 ? (a?.length ?? 0) : different
}

/**
 * Replaces `--changed` or `--changed=<commit>` by the files of tests that are worth running before a push, and
 * prints what is left out. Other arguments stay as they are.
 * @returns undefined when the change touches no test
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

/** By vitest, which follows the imports of every test. */
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

/** Committed since then, in the working tree, or new. */
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
