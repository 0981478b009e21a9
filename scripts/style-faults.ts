import type { TextFile } from './tracked-files.ts'

const code = /^(src|test|bench|scripts|migrations|web)\//
const recorded = /^test\/(.+\/)?fixtures\//
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/
/** Components are named as in markup. */
const component = /^([A-Z][a-z0-9]*)+\.svelte$/
const drawer = /^(utils?|helpers?|common|shared|misc)(\.ts)?$/
const longest = 400

const ownBeforeOthers = /^import [^;']*'\.[^']*'[^']*\nimport [^;']*'[^.]/m
const unfinished = /\b(TO-?DO|FIX-?ME)\b/
const lintDirective = /\b(es|ox)lint-(dis|en)able/
const machinePath = /(?<![\w.}~-])\/(work|farm|tmp|root|home|Users)\/[\w.]/
const registryHost =
  /\b(registry\.(npmjs\.org|yarnpkg\.com)|npm\.pkg\.github\.com|deb\.debian\.org|pypi\.org|crates\.io)\b/

/**
 * Returns the violations of the house style that lint cannot find: names, length, unfinished work,
 * lint directives, and paths that exist on one machine only. Each fault is `path[:line]: what to
 * do`.
 */
export function styleFaults(file: TextFile): readonly string[] {
  return [
    ...nameFaults(file.path),
    ...lengthFaults(file),
    ...importFaults(file),
    ...lineFaults(file),
  ]
}

function* nameFaults(path: string): Iterable<string> {
  if (!code.test(path) || recorded.test(path)) return
  for (const name of path.split('/')) {
    if (name === 'README.md') continue
    if (!kebab.test(name) && !component.test(name)) yield `${path}: "${name}" is not in kebab-case`
    if (drawer.test(name)) yield `${path}: "${name}" says nothing; name the thing that is inside`
  }
}

/** Lint counts only the lines of scripts; a component's markup and style count too. */
function* lengthFaults({ path, text }: TextFile): Iterable<string> {
  const lines = text.split('\n').length
  if (/\.(sql|svelte|css)$/.test(path) && lines > longest) {
    yield `${path}: ${String(lines)} lines; ${String(longest)} is the wall, so split it`
  }
}

function* importFaults({ path, text }: TextFile): Iterable<string> {
  if (path.endsWith('.ts') && ownBeforeOthers.test(text))
    yield `${path}: what packages export is imported before what the hub does`
}

function* lineFaults({ path, text }: TextFile): Iterable<string> {
  if (recorded.test(path)) return
  for (const [index, line] of text.split('\n').entries()) {
    const place = `${path}:${String(index + 1)}`
    if (unfinished.test(line)) yield `${place}: finish it, or open an issue`
    if (lintDirective.test(line))
      yield `${place}: obey the rule, or give eslint.config.js the exception`
    if (machinePath.test(line)) yield `${place}: names a path of one machine`
    if (registryHost.test(line)) yield `${place}: names the host of a package registry`
  }
}
