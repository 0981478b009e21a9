import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { embeddedSettings } from '../fixtures/database-settings.ts'
import { copyDataDir, preparedDataDir } from '../fixtures/embedded-template.ts'
import { startHub } from '../fixtures/hub-process.ts'
import { buildImage, isAdmitted, stageEnvironment } from '../fixtures/image.ts'
import type { Image } from '../fixtures/image.ts'

/** `npm install` in the Dockerfile downloads the hub's dependencies. */
const hasRegistry =
  spawnSync('npm', ['view', 'fastify', 'version'], { timeout: 15_000 }).status === 0
const note = hasRegistry ? '' : ' [not run: the npm registry cannot be reached]'

describe.skipIf(!hasRegistry)(`the image, built without containers${note}`, () => {
  let image: Image
  beforeAll(async () => {
    image = await buildImage()
  }, 300_000)
  afterAll(() => rm(image.place, { recursive: true, force: true }))

  it('contains no files private to a checkout', () => {
    const absent = ['.env', '.git/config', 'data/pg/PG_VERSION', 'dist/package/package.json']
    const built = ['node_modules/pg/package.json', 'web/node_modules/x.js', 'web/dist/index.html']
    expect([...absent, ...built, 'src/main.test.ts', 'test/e2e/x.ts'].filter(isAdmitted)).toEqual(
      [],
    )
    expect(['src/main.ts', 'web/src/main.ts', 'LICENSE'].filter(isAdmitted)).toHaveLength(3)
  })

  it('has the tested Node version, the hub command and a data folder owned by its user', () => {
    const [major = ''] = process.versions.node.split('.')
    expect(image.base).toBe(`node:${major}-slim`)
    expect(filesIn('.')).toEqual(['app', 'usr'])
    expect(filesIn('usr/local')).toEqual(['bin', 'lib'])
    expect(filesIn('usr/local/bin')).toEqual(['hub'])
    expect(filesIn('usr/local/lib/node_modules')).toEqual(['@regional-hub'])
    expect(filesIn('app')).toEqual(['data'])
    const data = join(image.folder, 'app/data')
    expect([image.volumes, image.environment['HUB_DATA_DIR']]).toEqual([[data], data])
    expect([image.user, image.owners]).toEqual(['node', [`node:node ${data}`]])
  })

  it('starts, is healthy, writes to its volume and stops on SIGTERM', async () => {
    const [data = ''] = image.volumes
    await copyDataDir(await preparedDataDir(inject('scratch')), data)
    const hub = await startHub({
      settings: embeddedSettings(data),
      command: image.entrypoint,
      args: image.command,
      environment: stageEnvironment(image),
    })
    expect((await fetch(`${hub.url}/v1/Accommodation`)).status).toBe(200)
    const page = await fetch(hub.url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<script type="module"')
    expect(existsSync(join(data, 'pg.pid'))).toBe(true)
    expect(isHealthy(hub.url)).toBe(true)
    hub.process.kill('SIGTERM')
    expect(await hub.ended).toBe(0)
    expect(isHealthy(hub.url)).toBe(false)
  })

  function filesIn(folder: string): readonly string[] {
    return readdirSync(join(image.folder, folder)).sort()
  }

  function isHealthy(url: string): boolean {
    const [program = '', ...args] = image.healthcheck
    const env = { ...stageEnvironment(image), HUB_PORT: new URL(url).port }
    const { status } = spawnSync(program, args, { env, cwd: image.workdir, stdio: 'inherit' })
    return status === 0
  }
})
