import { writeFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import { runHub } from '../fixtures/run-hub.ts'

async function tokenStatus(url: string, form: Readonly<Record<string, string>>): Promise<number> {
  const address = `${url}/auth/realms/hub/protocol/openid-connect/token`
  const { status } = await fetch(address, { method: 'POST', body: new URLSearchParams(form) })
  return status
}

/** Timeout: 5 s are promised, but on a busy machine each push takes some time too. */
const soon = { timeout: 10_000 }

describeOn('postgresql', 'hub access', () => {
  it('manages users, clients and grants, which a running hub applies within seconds', async () => {
    const clone = await cloneDatabase('postgresql')
    const hub = await startHub({ settings: clone.settings, args: ['serve'] })
    const run = async (...args: readonly string[]) => {
      const { code, out, err } = await runHub(['access', ...args], clone)
      expect([code, err]).toEqual([0, ''])
      return out
    }

    const added = await run('client', 'add', 'loader', '--roles', 'BDP_A22')
    const secret = /shown only once\): (?<secret>\S+)/.exec(added)?.groups?.['secret'] ?? ''
    const machine = { grant_type: 'client_credentials', client_id: 'loader', client_secret: secret }
    const token = async () => {
      const address = `${hub.url}/auth/realms/hub/protocol/openid-connect/token`
      const response = await fetch(address, { method: 'POST', body: new URLSearchParams(machine) })
      return String(Object(await response.json()).access_token)
    }
    const push = async (bearer: string) => {
      const { status } = await fetch(`${hub.url}/push/a/b`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'text/plain' },
        body: 'x',
      })
      return status
    }
    const bearer = await token()
    expect(await push(bearer)).toBe(403)
    await run('grant', 'loader', '/a/b')
    await expect.poll(() => push(bearer), soon).toBe(200)

    const scope = [
      ...['--kinds', 'stations,measurements', '--entities', 'Accommodation', '--sources', 'LTS'],
      ...['--station-types', 'ParkingStation', '--origins', 'A22,x'],
      ...['--may-delete', '--may-complete', '--may-publish-closed'],
    ]
    await run('grant', 'loader', '/a/b', ...scope)

    await run('client', 'add', 'kiosk', '--public')
    const user = ['access', 'user', 'add', 'ada', '--roles', 'BDP_A22', '--password-file', '-']
    expect(await runHub(user, { ...clone, input: 'lovelace\n' })).toMatchObject({
      code: 0,
      err: '',
    })
    const login = {
      grant_type: 'password',
      client_id: 'kiosk',
      username: 'ada',
      password: 'lovelace',
    }
    expect(await tokenStatus(hub.url, login)).toBe(200)
    const again = await runHub(user, { ...clone, input: 'lovelace\n' })
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists') })
    await run('user', 'change', 'ada', '--disable')
    await run('user', 'logout', 'ada')
    expect(await tokenStatus(hub.url, login)).toBe(400)

    await run('grant', 'user:Ada', '/a/c')
    const audit = await runHub(['audit', '--json', '--dataset', 'User'], clone)
    expect(audit.out).toMatch(/"operation": ?"Update".*"enabled\\?": ?\[true, ?false\]/s)
    expect(audit.out).not.toContain('argon2')
    const ended = await runHub(['audit', '--json', '--dataset', 'Session'], clone)
    expect(ended.out).toMatch(/"operation": ?"Delete".*"id": ?"ada".*"client": ?"hub"/s)
    const listed: unknown = JSON.parse(await run('list', '--json'))
    expect(listed).toMatchObject({
      users: [{ username: 'ada', enabled: false }],
      clients: [
        { client: 'kiosk', kind: 'public' },
        { client: 'loader', kind: 'confidential' },
      ],
      roles: [{ role: 'BDP_A22', users: ['ada'], clients: ['loader'] }],
      rules: [],
      grants: [
        {
          client: 'loader',
          path: '/a/b',
          scope:
            'kinds: stations,measurements; entities: Accommodation; station_types: ParkingStation; origins: A22,x; sources: lts; may_delete; may_complete; may_publish_closed',
        },
        { client: 'user:ada', path: '/a/c' },
      ],
      keys: [{ state: 'signs' }],
    })
    expect(JSON.stringify(listed)).not.toContain('argon2')

    await run('user', 'remove', 'ada')
    expect(JSON.parse(await run('list', '--json')).grants).toMatchObject([{ client: 'loader' }])

    await run('client', 'secret', 'loader')
    await expect.poll(() => push(bearer), soon).toBe(401)
    await expect.poll(() => tokenStatus(hub.url, machine), soon).toBe(401)
    await stopHub(hub)
    await clone.drop()
  })

  it('explains what is wrong, suggests what was meant, and exits with code 1 or 2', async () => {
    const clone = await cloneDatabase('postgresql')
    const file = join(tmpdir(), `rules-${String(process.pid)}.yaml`)
    await writeFile(file, 'rules:\n  - { role: A22, area: timeserie }\n')
    const told: readonly (readonly [readonly string[], number, string])[] = [
      [['user', 'chnage', 'x'], 2, 'Did you mean change?'],
      [['client', 'add', 'a', '--grants', 'pasword'], 2, 'Did you mean password?'],
      [['client', 'secret', 'x'], 1, 'There is no client x. There are none yet.'],
      [['grant', 'demo-provder', '/a/b'], 1, 'Did you mean demo-provider?'],
      [['grant', 'user:demo-clrk', '/a/b'], 1, 'Did you mean demo-clerk?'],
      [['grant', 'demo-provider', '/a/b', '--kinds', 'station'], 1, 'Did you mean stations?'],
      [['grant', 'demo-provider', '/a/b', '--kinds', ''], 1, 'kinds is an empty list'],
      [['revoke', 'demo-provider', '/a/b'], 1, 'It has: none.'],
      [['role', 'grant', 'ADMIN'], 1, '--user <name> or --client <id>'],
      [
        ['rule', 'import', file],
        1,
        'Rule 1: There is no area timeserie. Allowed: content, timeseries, event.',
      ],
      [['rule', 'remove', '7'], 1, 'There is no rule 7'],
    ]
    for (const [args, code, words] of told) {
      expect(await runHub(['access', ...args], clone)).toMatchObject({
        code,
        out: '',
        err: expect.stringContaining(words),
      })
    }
    await rm(file)
    await clone.drop()
  })
})

describeOn('embedded', 'hub access', () => {
  it('works while the hub runs, like other commands, and while it is stopped', async () => {
    const clone = await cloneDatabase('embedded')
    const rules = fileURLToPath(new URL('../../docs/examples/rules.yaml', import.meta.url))
    const hub = await startHub({ settings: clone.settings, args: ['serve'] })
    const imported = await runHub(['access', 'rule', 'import', rules, '--replace'], clone)
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('Rules added') })
    const file = join(tmpdir(), `stations-${String(process.pid)}.ndjson`)
    const stations = { kind: 'stations', stationType: 'Well', items: [{ code: 'w1' }] }
    await writeFile(file, JSON.stringify(stations))
    expect(await runHub(['import', file], clone)).toMatchObject({ code: 0 })
    const listed = () => fetch(`${hub.url}/v2/flat/Well`).then((answer) => answer.text())
    expect(await listed()).toContain('w1')
    const remove = ['timeseries', 'delete', 'w1', '--type', 'Well', '--what', 'stations']
    expect((await runHub(remove, clone)).out).toContain('would delete: measurements 0')
    expect(await listed()).toContain('w1')
    expect((await runHub([...remove, '--really'], clone)).out).toContain('stations 1.')
    expect(await listed()).not.toContain('w1')
    await stopHub(hub)
    const { code, out, err } = await runHub(['access', 'rule', 'list', '--json'], clone)
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ role: 'CBZ', type: 'Mobilestation', area: 'timeseries' }),
    )
    await rm(file)
    await clone.drop()
  })
})
