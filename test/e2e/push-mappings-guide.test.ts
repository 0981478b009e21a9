import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(`${root}docs/push-mappings-guide.md`, 'utf8')

type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  /** `shown` is the output that the page shows for the last command of a block. */
  | { readonly kind: 'command'; readonly command: string; readonly shown: string | undefined }

/**
 * Blocks of the page in order: files, whose path is in the line before, and commands with their
 * expected output.
 */
const steps = [
  ...guide.matchAll(/(.*)\n\n```(\w+)\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g),
].flatMap(([, before = '', language, text = '', shown]): Step[] => {
  if (language !== 'sh') {
    const path = /`([\w./-]+)`:$/.exec(before)?.[1] ?? ''
    return [{ kind: 'file', path, text }]
  }
  const commands = text.trim().split('\n')
  return commands.map((command, index) => ({
    kind: 'command',
    command,
    shown: index + 1 === commands.length ? shown?.trim() : undefined,
  }))
})

describe('the guide to mappings', () => {
  let clone: TestDatabase
  let folder: string
  let hub: HubProcess | undefined

  beforeAll(async () => {
    clone = await cloneDatabase('embedded')
    folder = await mkdtemp(join(tmpdir(), 'hub-mappings-'))
  })
  afterAll(async () => {
    if (hub !== undefined) await stopHub(hub)
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  /** Runs a command as written, in the folder of the guide. */
  const run = (command: string, variables: Readonly<Record<string, string>>) =>
    new Promise<string>((resolve) => {
      const here = command
        .replaceAll('http://localhost:8080', hub?.url ?? '')
        .replaceAll('./bin/hub', `"${process.execPath}" "${root}bin/hub.js"`)
        .replaceAll('<id>', variables['ID'] ?? '')
        .replaceAll('curl -s', 'curl -sf')
      const port = hub === undefined ? '' : new URL(hub.url).port
      const env = { ...process.env, ...variables, ...(port === '' ? {} : { HUB_PORT: port }) }
      const script = command.startsWith('TOKEN=') ? `${here}; echo "$TOKEN"` : here
      execFile('sh', ['-c', script], { cwd: folder, env }, (_error, out, err) => {
        resolve(`${out}${err}`.trim())
      })
    })

  const start = async () => {
    const environment = { HUB_MAPPINGS: join(folder, 'mappings') }
    hub = await startHub({ settings: clone.settings, args: ['demo', '--empty'], environment })
  }

  it('has files and commands', () => {
    const paths = steps.flatMap((step) => (step.kind === 'file' ? [step.path] : []))
    expect(paths).toHaveLength(4)
    expect(paths).not.toContain('')
    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThanOrEqual(10)
  })

  it('works step by step, with the output that it shows', async () => {
    const variables: Record<string, string> = {}
    const printed = new Map<string, string>()
    for (const step of steps) {
      if (step.kind === 'file') {
        await mkdir(dirname(join(folder, step.path)), { recursive: true })
        await writeFile(join(folder, step.path), step.text)
        continue
      }
      const { command, shown } = step
      if (command.includes('hub demo')) {
        await start()
        continue
      }
      const output = await run(command, variables)
      printed.set(command, output)
      if (shown !== undefined) expect(output, command).toBe(shown)
      if (command.startsWith('TOKEN=')) variables['TOKEN'] = output
      const id = /"message":"Data accepted","id":"([^"]+)"/.exec(output)?.[1]
      if (id === undefined) continue
      variables['ID'] = id
      const receipt = `${hub?.url ?? ''}/push/demo/rivers/${id}`
      const headers = { authorization: `Bearer ${variables['TOKEN'] ?? ''}` }
      await expect
        .poll(async () => (await fetch(receipt, { headers })).text())
        .toContain('"state":"visible"')
    }
    const last = [...printed.values()].slice(-2).map((output): unknown => JSON.parse(output))
    expect(last[0]).toMatchObject({
      stored: 5,
      rejected: [{ index: 2 }, { index: 3 }],
      mapping: { name: 'rivers', version: '1.0' },
    })
    expect(last[1]).toMatchObject({
      data: [
        { scode: 'G1', mvalue: 1204.5, prversion: '1.0' },
        { scode: 'G2', mvalue: 87 },
      ],
    })
  })
})
