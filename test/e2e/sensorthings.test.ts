import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { sensorThingsSuite } from '../../scripts/fetch-from-maven.ts'
import { demoHub } from '../fixtures/demo-hub.ts'

type Root = { readonly value: readonly { readonly name: string; readonly url: string }[] }

const isThere = existsSync(sensorThingsSuite.folder)
const described = isThere ? describe : describe.skip
const leftOut = isThere ? '' : ' [left out: the suite is absent; run npm run setup]'

described(`The official test suite of SensorThings${leftOut}`, { timeout: 180_000 }, () => {
  it('passes at level 1 (reading)', async () => {
    const root: Root = JSON.parse(await (await fetch(`${await demoHub()}/sta/v1.1`)).text())
    // The suite compares links with the URL that it is given.
    const things = root.value.find(({ name }) => name === 'Things')?.url ?? ''
    const folder = await mkdtemp(join(tmpdir(), 'sensorthings-'))
    try {
      expect(await runSuite(things.replace(/\/Things$/, ''), folder)).toEqual([
        'checkResourcePaths PASS',
        'checkServiceRootUri PASS',
        'readEntitiesAndCheckResponse PASS',
        'readEntityAndCheckResponse PASS',
        'readNonexistentEntity PASS',
        'readPropertyOfEntityAndCheckResponse PASS',
      ])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 300_000)
})

/**
 * Returns each test of level 1 with its result. The remaining tests write, or read what they wrote.
 */
async function runSuite(service: string, folder: string): Promise<readonly string[]> {
  const settings = `<properties version="1.0">
    <entry key="iut">${service}</entry>
    <entry key="ics">1</entry>
  </properties>`
  await writeFile(join(folder, 'run.xml'), settings)
  const program = [
    '-cp',
    join(sensorThingsSuite.folder, '*'),
    'org.opengis.cite.sta10.TestNGController',
  ]
  await promisify(execFile)('java', [`-Duser.home=${folder}`, ...program, 'run.xml'], {
    cwd: folder,
  })
  const tests: string[] = []
  for await (const file of glob('testng/*/testng-results.xml', { cwd: folder })) {
    const results = await readFile(join(folder, file), 'utf8')
    for (const [written] of results.matchAll(/<test-method [^>]*groups="level-1"[^>]*>/g)) {
      const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(written)?.[1] ?? ''
      tests.push(`${of('name')} ${of('status')}`)
    }
  }
  return tests.toSorted()
}
