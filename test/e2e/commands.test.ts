import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import { runHub, startCommand } from '../fixtures/run-hub.ts'

describeOnEngines('hub demo', (engine) => {
  it('refuses a database with data that it did not load, unless --really is set', async () => {
    const clone = await cloneDatabase(engine)
    const { settings } = clone
    const folder = await mkdtemp(join(tmpdir(), 'hub-demo-'))
    const file = join(folder, 'in.ndjson')
    await writeFile(
      file,
      JSON.stringify({ kind: 'dataTypes', items: [{ name: 'free', unit: '' }] }),
    )
    expect(await runHub(['import', file], clone)).toMatchObject({ code: 0 })
    const { code, err } = await runHub(['demo', '--empty'], {
      settings: { ...settings, HUB_PORT: 0 },
    })
    expect(code).toBe(2)
    expect(err).toContain('what the demo did not load: data (')
    expect(err).toContain('hub serve')
    await stopHub(await startHub({ settings, args: ['demo', '--empty', '--really'] }))
    await Promise.all([clone.drop(), rm(folder, { recursive: true })])
  })
})

describeOnEngines('hub export', (engine) => {
  it('ends without a stack trace if its reader leaves', async () => {
    const clone = await cloneDatabase(engine)
    await stopHub(await startHub({ settings: clone.settings, args: ['demo', '--empty'] }))
    const { settings } = clone
    const ended = await startCommand(['export'], { settings, reader: 'leaves' })
    expect(ended).toEqual({ code: 1, out: '', err: '' })
    await clone.drop()
  })
})

describeOnEngines('hub token', (engine) => {
  it('prints a token that the hub accepts', async () => {
    const clone = await cloneDatabase(engine)
    const running = await startHub({ settings: clone.settings })
    const settings = { HUB_PORT: new URL(running.url).port }
    const fromInput = ['token', 'demo-admin', '--secret-file', '-']
    const { code, out, err } = await startCommand(fromInput, { settings, input: 'demo-admin\n' })
    expect(code, err).toBe(0)
    const authorization = `Bearer ${out.trim()}`
    const answer = await fetch(`${running.url}/v1/MetaData`, { headers: { authorization } })
    expect(answer.status).toBe(200)
    const wrong = await runHub(fromInput, { settings, input: 'wrong' })
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('No token')])
    const elsewhere = [...fromInput, '--url', `${running.url}/`]
    expect(await runHub(elsewhere, { input: 'demo-admin' })).toMatchObject({ code: 0 })
    const folder = await mkdtemp(join(tmpdir(), 'hub-token-'))
    const password = join(folder, 'password')
    await writeFile(password, 'demo\n')
    const asUser = [...fromInput, '--user', 'demo', '--password-file', password]
    expect(await runHub(asUser, { settings, input: 'demo-admin' })).toMatchObject({ code: 0 })
    await rm(folder, { recursive: true })
    await stopHub(running)
    await clone.drop()
  })
})
