import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runHub } from '../../test/fixtures/run-hub.ts'

const execute = promisify(execFile)

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
    const { code, out } = await runHub([command, '--help'])
    expect((await runHub(['help', command])).out).toContain(`Usage: hub ${command}`)
    expect([code, out]).toEqual([0, expect.stringContaining(`Usage: hub ${command}`)])
  })

  it('shows help without loading anything, on any version of Node', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-help-'))
    for (const file of ['bin', 'package.json', 'src/cli/help.json']) {
      await cp(new URL(`../../${file}`, import.meta.url), join(folder, file), { recursive: true })
    }
    const program = join(folder, 'bin/hub.js')
    for (const command of ['', 'demo', 'push replay', 'access rule list']) {
      const args = command.split(' ').filter((word) => word !== '')
      const { stdout } = await execute(process.execPath, [program, ...args, '--help'])
      expect(stdout).toContain(`Usage: ${['hub', ...args].join(' ')} [`)
    }
    await rm(folder, { recursive: true })
  })

  it.each([
    [['servce'], 'serve'],
    [['serve', '--prot', '80'], '--prot'],
    [['import'], 'path'],
    [['access', 'user', 'change', 'a', '--enable', '--disable'], 'cannot be used with'],
    [['access', 'user', 'change', 'a', '--new-password', '--ask'], 'cannot be used with'],
    [['access', 'user', 'add', 'a', '--ask', '--password-file', 'a'], 'cannot be used with'],
    [['access', 'client', 'change', 'a', '--enable', '--disable'], 'cannot be used with'],
    [['access', 'client', 'add', 'a', '--full-scope', '--scope-roles', 'A'], 'cannot be used with'],
    [
      ['access', 'client', 'add', 'a', '--session-refresh', '--refresh-seconds', '9'],
      'cannot be used with',
    ],
    [['import', 'a.json', '--stream', 'bad stream'], 'provider/dataset'],
    [['push', 'stream', '--ordered', 'on'], 'Specify the stream'],
    [['push', 'try', 'a', 'b.json', '--stream', 'a'], 'provider/dataset'],
    [['demo', '--scale', 'x'], 'whole number'],
    [['push', 'list', 'a/b', '--from', '2026-02-31'], 'ISO 8601'],
    [['timeseries', 'delete', '--from', '2026-04-31T10:00Z'], 'ISO 8601'],
    [
      ['timeseries', 'delete', 'a', '--type', 'X', '--what', 'stations', '--from', '2026-01-01'],
      '--from and --to require --what measurements',
    ],
  ])('%j fails with exit code 2 and a hint', async (args, words) => {
    const { code, err } = await runHub(args)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  it('demo does not listen where other machines can reach it', async () => {
    const { code, err } = await runHub(['demo'], { settings: { HUB_HOST: '0.0.0.0' } })
    expect([code, err]).toEqual([2, expect.stringContaining('hub serve')])
  })

  it.each([
    [['--secret', 'canary'], '--secret-file'],
    [['--secret=canary'], '--secret-file'],
    [['--user', 'ada', '--password', 'canary'], '--password-file'],
  ])('token %j is refused, since others could read it, and not shown', async (args, instead) => {
    const { code, err } = await runHub(['token', 'loader', ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(instead)])
    expect(err).not.toContain('canary')
  })

  it('token reads at most one secret from standard input', async () => {
    const both = ['--secret-file', '-', '--user', 'ada', '--password-file', '-']
    const { code, err } = await runHub(['token', 'loader', ...both])
    expect([code, err]).toEqual([1, expect.stringContaining('Use a file')])
  })

  it('reports that the token service does not respond, and its URL', async () => {
    const { code, err } = await runHub(['token', 'x'], { settings: { HUB_PORT: 1 } })
    expect([code, err]).toEqual([1, expect.stringContaining('http://localhost:1/auth/realms/hub')])
  })

  it.each([
    ['<!doctype html>', 200, 'responds with status 200 and no JSON. Is it a hub?'],
    ['{"error":"Realm does not exist"}', 404, 'Realm does not exist (404). Check HUB_REALM'],
  ])('token names the URL that responds with %s', async (body, status, words) => {
    const server = createServer((_, response) => response.writeHead(status).end(body))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const url = `http://127.0.0.1:${String(port)}`
    const { code, err } = await runHub(['token', 'x', '--url', url])
    expect([code, err]).toEqual([1, expect.stringContaining(words)])
    expect(err).toContain(`${url}/auth/realms/hub/protocol/openid-connect/token`)
    server.close()
  })
})
