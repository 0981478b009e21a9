import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'

const bin = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))

type Ended = { readonly code: number; readonly out: string; readonly err: string }

/** Runs `hub <args>` as a person would and says how it ended. */
function hub(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
) {
  return new Promise<Ended>((resolve) => {
    const env = { ...process.env, ...environment }
    const child = execFile(process.execPath, [bin, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
    // A command that does not read it may have ended.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

describe('hub', () => {
  it.each([
    'serve',
    'demo',
    'migrate',
    'import',
    'export',
    'token',
    'access',
    'push',
    'timeseries',
    'audit',
  ])('%s has help', async (command) => {
    const { code, out } = await hub([command, '--help'])
    expect([code, out]).toEqual([0, expect.stringContaining(`Usage: hub ${command}`)])
  })

  it.each([
    [['servce'], 'serve'],
    [['serve', '--prot', '80'], '--prot'],
    [['import'], 'path'],
    [['demo', '--scale', 'x'], 'whole number'],
  ])('%j is answered with exit code 2 and what is meant', async (args, words) => {
    const { code, err } = await hub(args)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  it('demo does not listen where other machines reach it', async () => {
    const { code, err } = await hub(['demo'], { HUB_HOST: '0.0.0.0' })
    expect([code, err]).toEqual([2, expect.stringContaining('hub serve')])
  })

  it.each([
    [['--secret', 'canary'], '--secret-file'],
    [['--secret=canary'], '--secret-file'],
    [['--user', 'ada', '--password', 'canary'], '--password-file'],
  ])('token %j is refused, since others could read it, and not repeated', async (args, instead) => {
    const { code, err } = await hub(['token', 'loader', ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(instead)])
    expect(err).not.toContain('canary')
  })

  it('token reads one of two secrets from standard input', async () => {
    const both = ['--secret-file', '-', '--user', 'ada', '--password-file', '-']
    const { code, err } = await hub(['token', 'loader', ...both])
    expect([code, err]).toEqual([1, expect.stringContaining('Use a file')])
  })

  it('says that the token service does not answer, and where it looked', async () => {
    const { code, err } = await hub(['token', 'x'], { HUB_PORT: '1' })
    expect([code, err]).toEqual([1, expect.stringContaining('http://localhost:1/auth/realms/hub')])
  })
})

const messages = [
  { kind: 'content', entity: 'Accommodation', items: [{ Id: 'A', Shortname: 'Ä' }, { Id: 'B' }] },
  { kind: 'dataTypes', items: [{ name: 'free', unit: '', type: 'Instantaneous' }] },
  {
    kind: 'stations',
    stationType: 'ParkingStation',
    origin: 'X',
    items: [
      { code: 'bay', name: 'Bay', parent: { type: 'ParkingStation', code: 'p' } },
      { code: 'p', name: 'P', coordinate: [11.35, 46.49], metadata: { capacity: 3 } },
    ],
  },
  {
    kind: 'measurements',
    stationType: 'ParkingStation',
    period: 300,
    provenance: { name: 'c', version: null, lineage: 'X' },
    items: [
      ['p', 'free', '2026-11-20T10:00:00Z', 1.5],
      ['p', 'free', '2026-11-20T10:05:00Z', 0.1234567890123],
      ['p', 'free', '2026-11-20T10:05:00Z', 'full'],
    ],
  },
  {
    kind: 'edges',
    edgeType: 'Link',
    items: [{ code: 'e', from: { type: 'ParkingStation', code: 'p' }, to: null, directed: true }],
  },
  {
    kind: 'events',
    origin: 'X',
    items: [
      { uuid: 'u', title: { en: 'Jam' }, geometry: { type: 'Point', coordinates: [11, 46] } },
    ],
  },
]

describeOnEngines('import and export', (engine) => {
  let from: TestDatabase
  let to: TestDatabase
  let folder: string
  const settingsOf = ({ settings }: TestDatabase): Record<string, string> =>
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-commands-'))
    from = await cloneDatabase(engine)
    to = await cloneDatabase(engine)
  })
  afterAll(async () => {
    await Promise.all([from.drop(), to.drop(), rm(folder, { recursive: true })])
  })

  it('import stores a file, names what it rejects, and ends with 1 when it did', async () => {
    const file = join(folder, 'in.ndjson')
    const bad = { kind: 'dataTypes', items: [{ name: '' }] }
    await writeFile(file, [...messages, bad].map((message) => JSON.stringify(message)).join('\n'))
    const { code, out, err } = await hub(['import', file], settingsOf(from))
    expect(out).toContain('10 stored, 1 rejected')
    expect(err).toContain('"line":7')
    expect(code).toBe(1)
  })

  it('export writes what import reads, and what comes out of a copy is the same', async () => {
    const first = join(folder, 'first.ndjson')
    expect(await hub(['export', '--output', first], settingsOf(from))).toMatchObject({ code: 0 })
    expect(await hub(['import', first], settingsOf(to))).toMatchObject({ code: 0 })
    const second = join(folder, 'second.ndjson')
    expect(await hub(['export', '--output', second], settingsOf(to))).toMatchObject({ code: 0 })
    const read = async (file: string) => withoutSaveTimes(await readFile(file, 'utf8'))
    expect(await read(second)).toEqual(await read(first))
  })

  it('export takes names, and says which one it does not know', async () => {
    const stations = await hub(['export', 'stations'], settingsOf(from))
    expect(
      stations.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { kind: 'stations', stationType: 'Link', items: [{ code: 'e' }] },
      { kind: 'stations', items: [{ code: 'bay' }, { code: 'p', metadata: { capacity: 3 } }] },
      { kind: 'stations', items: [{ code: 'bay', parent: { code: 'p' } }] },
    ])
    const unknown = await hub(['export', 'station'], settingsOf(from))
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('Did you mean stations?'),
    ])
  })
})

describeOnEngines('hub demo', (engine) => {
  it('refuses a database with data that it did not load, unless told --really', async () => {
    const clone = await cloneDatabase(engine)
    const { settings } = clone
    const environment = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, String(value)]),
    )
    const folder = await mkdtemp(join(tmpdir(), 'hub-demo-'))
    const file = join(folder, 'in.ndjson')
    await writeFile(file, JSON.stringify(messages[1]))
    expect(await hub(['import', file], environment)).toMatchObject({ code: 0 })
    const { code, err } = await hub(['demo', '--empty'], { ...environment, HUB_PORT: '0' })
    expect(code).toBe(2)
    expect(err).toContain('what the demo did not load: data (')
    expect(err).toContain('hub serve')
    await stopHub(await startHub({ settings, args: ['demo', '--empty', '--really'] }))
    await Promise.all([clone.drop(), rm(folder, { recursive: true })])
  })
})

describe('hub token', () => {
  it('prints a token that the hub takes', async () => {
    const clone = await cloneDatabase('embedded')
    const running = await startHub({ settings: clone.settings })
    const environment = { HUB_PORT: new URL(running.url).port }
    const fromInput = ['token', 'demo-admin', '--secret-file', '-']
    const { code, out } = await hub(fromInput, environment, 'demo-admin\n')
    expect(code).toBe(0)
    const authorization = `Bearer ${out.trim()}`
    const answer = await fetch(`${running.url}/v1/MetaData`, { headers: { authorization } })
    expect(answer.status).toBe(200)
    const wrong = await hub(fromInput, environment, 'wrong')
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('No token')])
    const folder = await mkdtemp(join(tmpdir(), 'hub-token-'))
    const password = join(folder, 'password')
    await writeFile(password, 'demo\n')
    const asUser = [...fromInput, '--user', 'demo', '--password-file', password]
    expect(await hub(asUser, environment, 'demo-admin')).toMatchObject({ code: 0 })
    await rm(folder, { recursive: true })
    await stopHub(running)
    await clone.drop()
  })
})

/** Times of saving and of transactions are those of the hub that saved; all else must be the same. */
function withoutSaveTimes(lines: string): readonly unknown[] {
  const times = ['LastUpdate', 'recorded']
  return lines
    .trim()
    .split('\n')
    .map((line): unknown =>
      JSON.parse(line, (name, value: unknown) => (times.includes(name) ? undefined : value)),
    )
}
