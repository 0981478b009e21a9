import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import ts from 'typescript'

// `npm run package` writes `dist/package` and beside it the archive that `npm install --global`
// accepts. Node does not strip types below `node_modules`, so the package contains JavaScript.

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders that the running hub needs, and the documentation. */
const folders = ['bin', 'src', 'migrations', 'mappings', 'gbfs', 'docs', 'web/dist']
const texts = ['LICENSE', 'README.md', 'CHANGELOG.md']
const leftOut = /\.(test|d)\.ts$/

const anyObject = Type.Record(Type.String(), Type.Unknown())
const lockFile = Type.Object({
  packages: Type.Record(Type.String(), Type.Object({ link: Type.Optional(Type.Boolean()) })),
})

/**
 * Writes the package as a folder: the hub as JavaScript, its page, its exact dependencies
 * (`npm-shrinkwrap.json`) and a bill of materials (`sbom.cdx.json`, CycloneDX).
 * @throws Error if the page has not been built
 */
export function writePackage(folder: string): void {
  if (!existsSync(join(root, 'web/dist')))
    throw new Error('The page has not been built. Run `npm run build` first.')
  rmSync(folder, { recursive: true, force: true })
  const files = folders.flatMap(filesIn).filter((path) => !leftOut.test(path))
  for (const path of [...texts, ...files]) writeFile(folder, path)
  writeManifest(folder)
}

/** Lists all files below a folder of the repository, as paths relative to the root. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

function writeFile(folder: string, path: string): void {
  const target = join(folder, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  if (path.endsWith('.ts')) writeFileSync(target, toJavaScript(path))
  else copyFileSync(join(root, path), target)
}

function toJavaScript(path: string): string {
  return ts.transpileModule(readFileSync(join(root, path), 'utf8'), {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  }).outputText
}

/**
 * Writes the package's manifest, the exact versions of its dependencies, and its bill of materials.
 */
function writeManifest(folder: string): void {
  const { name, version, description, license, type, bin, dependencies } = Parse(
    anyObject,
    readJson('package.json'),
  )
  const own = { name, version, description, license, type, bin, dependencies }
  const engines = { node: '>=24' }
  const manifest = { ...own, engines, publishConfig: { access: 'public' } }
  writeJson(join(folder, 'package.json'), manifest)
  writeJson(join(folder, 'package-lock.json'), withoutPage(manifest))
  // npm omits development dependencies; everything about the others is in the lock file.
  npm(folder, ['install', '--package-lock-only', '--offline', '--ignore-scripts'])
  const sbom = npm(folder, ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'])
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom)
  npm(folder, ['shrinkwrap', '--offline'])
}

/** Returns the lock file without the workspace of the page. */
function withoutPage(manifest: object): object {
  const lock = Parse(lockFile, readJson('package-lock.json'))
  const packages = Object.entries(lock.packages).filter(
    ([path, { link = false }]) => path !== 'web' && !path.startsWith('web/') && !link,
  )
  return { ...lock, packages: { ...Object.fromEntries(packages), '': manifest } }
}

function npm(folder: string, args: readonly string[]): string {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--no-audit', '--no-fund'], options)
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`)
  return stdout
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
}

if (import.meta.main) {
  const folder = join(root, 'dist/package')
  writePackage(folder)
  const [file] = npm(join(root, 'dist'), ['pack', './package', '--silent']).trim().split('\n')
  console.log(
    `dist/${String(file)} is written. Install it: npm install --global ./dist/${String(file)}`,
  )
}
