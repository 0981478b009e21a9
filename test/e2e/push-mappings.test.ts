import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'

const bin = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))

const mapping = `version: 3
stream: demo/articles
decode: [{ csv: { delimiter: ";" } }]
tables:
  kinds: { file: kinds.csv, key: code, value: name }
each: |
  { "kind": "content", "entity": "Article", "items": [
    { "Id": id, "Shortname": title & " (" & $lookup("kinds", kind) & ")" }
  ]}
`

/** Writes a folder of mappings that contains one valid mapping. */
async function writeMappings(folder: string): Promise<string> {
  const own = join(folder, 'articles')
  await mkdir(join(own, 'samples'), { recursive: true })
  await writeFile(join(own, 'mapping.yaml'), mapping)
  await writeFile(join(own, 'kinds.csv'), 'code,name\n1,news\n2,story\n')
  await writeFile(join(own, 'samples', 'two.csv'), 'id;title;kind\na1;One;1\na2;Two;2\n')
  return own
}

type Ended = { readonly code: number; readonly out: string; readonly err: string }

function hub(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env: NodeJS.ProcessEnv = { ...process.env, ...environment }
  return new Promise<Ended>((resolve) => {
    execFile(process.execPath, [bin, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })
}

describe('hub push check, try and test', () => {
  let folder: string
  let own: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-mappings-'))
    own = await writeMappings(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('check lists valid mappings, or every fault with its position', async () => {
    const good = await hub(['push', 'check'], { HUB_MAPPINGS: folder })
    expect(good).toMatchObject({
      code: 0,
      out: expect.stringContaining('articles 3 maps demo/articles'),
    })
    const bad = await mkdtemp(join(tmpdir(), 'hub-mappings-bad-'))
    await cp(own, join(bad, 'one'), { recursive: true })
    await cp(own, join(bad, 'two'), { recursive: true })
    await mkdir(join(bad, 'empty'))
    await writeFile(join(bad, 'three.yaml'), mapping.replace('$lookup("kinds"', '$lokup("kids"'))
    await writeFile(
      join(bad, 'four.yaml'),
      mapping.replace('decode', 'decod').replace('{ "kind"', '{ kind'),
    )
    await writeFile(
      join(bad, 'five.yaml'),
      mapping.replace('demo/articles', 'demo/5').replace('kinds"', 'kids"'),
    )
    const { code, err } = await hub(['push', 'check', bad])
    expect(code).toBe(1)
    for (const fault of [
      'two/mapping.yaml: has the stream demo/articles, which one/mapping.yaml has, too',
      'empty: has no mapping.yaml',
      'three.yaml:5:18: tables.kinds.file: the file kinds.csv does not exist next to the mapping',
      'three.yaml:8:45: each: there is no function $lokup; did you mean $lookup?',
      'four.yaml:3:8: decod is not a known field. Did you mean decode?',
      'five.yaml:8:45: each: there is no table "kids"; did you mean kinds?',
    ]) {
      expect(err).toContain(fault)
    }
    await rm(bad, { recursive: true })
  })

  it('hub serve does not start if the folder of mappings does not exist', async () => {
    const { code, err } = await hub(['serve'], {
      HUB_MAPPINGS: join(folder, 'nowhere'),
      HUB_PORT: '0',
    })
    expect([code, err]).toEqual([2, expect.stringContaining('there is no such folder')])
  })

  it('try shows the objects of a file, and reports rejected ones', async () => {
    const file = join(own, 'samples', 'two.csv')
    const { code, out } = await hub(['push', 'try', 'articles', file], {
      HUB_MAPPINGS: folder,
      DATABASE_URL: '',
    })
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        objects: [
          {
            kind: 'content',
            entity: 'Article',
            items: [
              { Id: 'a1', Shortname: 'One (news)' },
              { Id: 'a2', Shortname: 'Two (story)' },
            ],
          },
        ],
        rejected: [],
      },
    ])
    const bad = join(folder, 'bad.csv')
    await writeFile(bad, 'id;title;kind\n;None;1\n')
    expect(await hub(['push', 'try', own, bad], { DATABASE_URL: '' })).toMatchObject({
      code: 1,
      out: expect.stringContaining('"/items/0/Id"'),
    })
    expect(await hub(['push', 'try', 'nothing', bad])).toMatchObject({ code: 2 })
  })

  it('test compares samples with expected results, and writes them with --update', async () => {
    const expected = join(own, 'samples', 'two.expected.json')
    expect(await hub(['push', 'test', folder])).toMatchObject({
      code: 1,
      out: expect.stringContaining('--update'),
    })
    expect(await hub(['push', 'test', own, '--update'])).toMatchObject({ code: 0 })
    expect(await hub(['push', 'test', own])).toMatchObject({
      code: 0,
      out: expect.stringContaining('articles/two: same'),
    })
    const text = await readFile(expected, 'utf8')
    await writeFile(expected, text.replace('One (news)', 'One'))
    expect(await hub(['push', 'test', folder])).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        '/objects/0/items/0/Shortname: expected "One", found "One (news)"',
      ),
    })
    await rm(expected)
  })
})

const receipt = Type.Object({
  id: Type.String(),
  state: Type.String(),
  stored: Type.Integer(),
  reason: Type.Union([Type.String(), Type.Null()]),
  mapping: Type.Unknown(),
})

describeOnEngines('A hub with mappings', (engine) => {
  let clone: TestDatabase
  let folder: string

  beforeEach(async () => {
    clone = await cloneDatabase(engine)
    folder = await mkdtemp(join(tmpdir(), 'hub-mappings-'))
    await writeMappings(folder)
  })
  afterEach(async () => {
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  const ask = async (running: HubProcess, path: string, body?: string) => {
    const authorization = `Bearer ${await running.token('demo-provider')}`
    const post = body === undefined ? {} : { method: 'POST', body }
    const response = await fetch(`${running.url}${path}`, { headers: { authorization }, ...post })
    return Parse(Type.Unknown(), await response.json())
  }

  const push = async (running: HubProcess, body: string) => {
    const { id } = Parse(Type.Object({ id: Type.String() }), await ask(running, stream, body))
    return id
  }

  const stream = '/push/demo/articles'

  const receiptOf = async (running: HubProcess, id: string) =>
    Parse(receipt, await ask(running, `${stream}/${id}`))

  it('maps earlier and new messages, and names the mapping in receipts', async () => {
    const first = await startHub({ settings: clone.settings })
    const early = await push(first, 'id;title;kind\ne1;Early;1\n')
    await expect
      .poll(() => receiptOf(first, early))
      .toMatchObject({ state: 'accepted', reason: 'no pipeline', mapping: null })
    await stopHub(first)
    const environment = { HUB_MAPPINGS: folder }
    const second = await startHub({ settings: clone.settings, environment })
    const late = await push(second, 'id;title;kind\nl1;Late;2\nl2;Later;1\n')
    for (const [id, stored] of [
      [early, 1],
      [late, 2],
    ] as const) {
      await expect
        .poll(() => receiptOf(second, id))
        .toMatchObject({ state: 'visible', stored, mapping: { name: 'articles', version: '3' } })
    }
    const found = await fetch(`${second.url}/v1/Article/e1`)
    expect([found.status, await found.json()]).toMatchObject([200, { Shortname: 'Early (news)' }])
    const trial = await ask(second, `${stream}?dryrun=true`, 'id;title;kind\nt1;Tried;2\n')
    expect(trial).toMatchObject({ stored: 1, mapping: { name: 'articles', version: '3' } })
    await stopHub(second)
    expect(await second.ended).toBe(0)
  })
})
