import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fetchFromMaven, gbfsValidator, sensorThingsSuite } from './fetch-from-maven.ts'
import { fetchPython } from './fetch-python.ts'

// `npm run setup` installs what the tests need besides npm packages, on Debian as root. Elsewhere
// it lists what to install. The tests run without these programs too, and list the suites that they
// leave out.

/** The PostgreSQL version in each Debian release. */
const postgresqlByRelease: Readonly<Record<string, string>> = { '12': '15', '13': '17' }

type System = { readonly release: string | undefined; readonly isRoot: boolean }

function loadSystem(): System {
  const isRoot = process.getuid?.() === 0
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    const isDebian = /^ID="?debian"?$/m.test(text)
    const version = /^VERSION_ID="?(\d+)/m.exec(text)?.[1]
    return { release: isDebian ? version : undefined, isRoot }
  } catch {
    return { release: undefined, isRoot } // no os-release file, so not a usual Linux
  }
}

function packagesFor(postgresql: string): readonly string[] {
  return [
    `postgresql-${postgresql}`,
    `postgresql-${postgresql}-postgis-3`,
    'chromium-headless-shell',
    'libxml2-utils',
    'gdal-bin',
    'redis-server',
    'pgbouncer',
    'python3-venv',
    'prometheus',
    ...(isThere('mvn') && isThere('javac') ? [] : ['default-jdk-headless', 'maven']),
  ]
}

/** Reports whether a program can be run, whichever package it is from. */
function isThere(program: string): boolean {
  return spawnSync(program, ['-version']).error === undefined
}

function isInstalled(name: string): boolean {
  const found = spawnSync('dpkg-query', ['--show', `--showformat=\${db:Status-Status}`, name])
  return found.stdout.toString() === 'installed'
}

/** Runs apt-get non-interactively and shows its output. */
function runApt(args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0
}

function explain(): void {
  console.log(`Nothing was installed: setup installs packages only on Debian 12 or 13, as root.
The hub itself needs nothing more. For all tests install:
  - PostgreSQL 15 or later with PostGIS 3.3 or later (initdb and pg_ctl are enough; no server need run)
  - Chromium (Debian: chromium-headless-shell; the one with windows works too)
  - xmllint (Debian: libxml2-utils)
  - ogrinfo of GDAL (Debian: gdal-bin)
  - Redis or Valkey (redis-server or valkey-server is enough; none need run)
  - Python 3 with venv (Debian: python3-venv), from which pySHACL, PyArrow and OWSLib are installed below
  - promtool (Debian: prometheus), which checks the alert rules; Prometheus itself need not run
  - Java 17 or later and Maven (Debian: default-jdk-headless, maven), which the validator of GBFS needs
Tests that need a missing one are skipped, and npm test lists them.`)
}

function install(missing: readonly string[]): void {
  console.log(`Installing ${missing.join(', ')}`)
  const installed =
    runApt(['update', '--quiet']) &&
    runApt(['install', '--yes', '--quiet', '--no-install-recommends', ...missing])
  if (installed) return
  console.error('apt-get failed, as reported above. Fix that and run npm run setup again.')
  process.exitCode = 1
}

/**
 * Installs something optional. A failure is only printed: the tests run without it, so that missing
 * Python, Java or their registries break nothing.
 */
async function attempt(title: string, fetchIt: () => Promise<void>): Promise<void> {
  try {
    await fetchIt()
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    console.log(`${title} was not installed. ${words}`)
  }
}

const { release, isRoot } = loadSystem()
const postgresql = release === undefined ? undefined : postgresqlByRelease[release]
if (postgresql === undefined || !isRoot) {
  explain()
} else {
  const missing = packagesFor(postgresql).filter((name) => !isInstalled(name))
  if (missing.length > 0) install(missing)
  else console.log('Everything is installed already.')
}
await attempt('pySHACL', () => fetchPython('pyshacl'))
await attempt('PyArrow', () => fetchPython('pyarrow'))
await attempt('OWSLib', () => fetchPython('owslib'))
for (const program of [gbfsValidator, sensorThingsSuite]) {
  await attempt(program.title, () => fetchFromMaven(program))
}
