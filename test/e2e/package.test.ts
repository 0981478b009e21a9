import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePackage } from '../../scripts/package.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const packaged = Type.Object({ dependencies: Type.Record(Type.String(), Type.String()) })
const locked = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({
      version: Type.String(),
      license: Type.Optional(Type.String()),
      hasInstallScript: Type.Optional(Type.Boolean()),
    }),
  ),
})
const materials = Type.Object({
  components: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
})

/** Licences that are compatible with Apache-2.0, by their SPDX names. */
const compatible = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0'],
  ...['ISC', 'MIT', 'MIT-0', 'Python-2.0', 'Unlicense', 'Zlib'],
]

/**
 * Installs the package in the layout of `npm install --global`: below `node_modules`, together with
 * its dependencies.
 */
async function install() {
  const prefix = await mkdtemp(join(tmpdir(), 'hub-package-'))
  const modules = join(prefix, 'lib/node_modules')
  const folder = join(modules, '@regional-hub/hub')
  writePackage(folder)
  const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), 'utf8'))
  const { dependencies } = Parse(packaged, read('package.json'))
  for (const name of Object.keys(dependencies)) {
    const target = join(folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), target)
  }
  return { prefix, folder, read, bin: join(folder, 'bin/hub.js') }
}

describeOn('embedded', 'the package', () => {
  let installed: Awaited<ReturnType<typeof install>>
  beforeAll(async () => {
    installed = await install()
  })
  afterAll(() => rm(installed.prefix, { recursive: true }))

  it('starts the whole hub: page, guide, pushes and mappings', async () => {
    const clone = await cloneDatabase('embedded')
    const hub = await startHub({
      settings: clone.settings,
      command: [process.execPath, installed.bin],
    })
    const authorization = `Bearer ${await hub.token('demo-provider')}`
    const get = async (path: string) =>
      (await fetch(`${hub.url}${path}`, { headers: { accept: 'text/html' } })).text()
    expect(await get('/')).toContain('<script type="module"')
    expect(await get('/docs/push')).toContain('<script type="module"')
    const pushed = await fetch(`${hub.url}/push/demo/hotels`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'content', entity: 'Accommodation', items: [{ Id: 'P1' }] }),
    })
    expect(pushed.status).toBe(200)
    const status = async () => (await fetch(`${hub.url}/v1/Accommodation/P1`)).status
    await expect.poll(status, { interval: 100 }).toBe(200)
    const { code, out } = run(['push', 'test', join(installed.folder, 'mappings/museums')])
    expect([code, out]).toEqual([0, expect.stringContaining('museums')])
    await stopHub(hub)
    await clone.drop()
  })

  it('contains no TypeScript, and includes its page, licence and SBOM', () => {
    const files = readdirSync(installed.folder, { recursive: true, encoding: 'utf8' })
    const own = files.filter((path) => !path.startsWith('node_modules'))
    expect(own.filter((path) => path.endsWith('.ts'))).toEqual([])
    expect(own).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'sbom.cdx.json',
        'npm-shrinkwrap.json',
        'web/dist/index.html',
      ]),
    )
    expect(own.some((path) => path.endsWith('.csv'))).toBe(true)
  })

  it('lists all dependencies, with compatible licences and without install scripts', () => {
    const { packages } = Parse(locked, installed.read('npm-shrinkwrap.json'))
    const below = Object.entries(packages).filter(([path]) => path !== '')
    const isRefused = ({ license = '' }: (typeof packages)[string]) =>
      !license
        .replace(/[()]/g, '')
        .split(' OR ')
        .some((name) => compatible.includes(name))
    expect(below.filter(([, entry]) => isRefused(entry))).toEqual([])
    expect(below.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
    const { components } = Parse(materials, installed.read('sbom.cdx.json'))
    const versions = below.map(
      ([path, { version }]) => `${path.replace(/.*node_modules\//, '')} ${version}`,
    )
    const listed = components.map(({ name, version }) => `${name} ${version}`)
    expect(new Set(listed)).toEqual(new Set(versions))
    expect(versions.length).toBeGreaterThan(100)
  })

  function run(args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [installed.bin, ...args], {
      encoding: 'utf8',
      cwd: installed.prefix,
    })
    return { code: status, out: stdout + stderr }
  }
})

/** Programs that check files of `deploy`, if they are installed. */
const checkers = [
  { program: 'systemd-analyze', args: ['verify', 'deploy/hub.service'] },
  { program: 'helm', args: ['lint', '--strict', 'deploy/helm'] },
]

describe('the deployment files', () => {
  for (const { program, args } of checkers) {
    const isThere = spawnSync(program, ['--version']).error === undefined
    const note = isThere ? '' : ` [not run: ${program} is not installed]`
    it.skipIf(!isThere)(`pass ${program} ${args.join(' ')}${note}`, () => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
      expect([status, stderr], stdout).toEqual([0, ''])
    })
  }
})
