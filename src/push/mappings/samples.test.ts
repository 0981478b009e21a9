import fc from 'fast-check'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { differences, loadSampled, runSamples } from './samples.ts'

describe('Differences', () => {
  it('are reported by location', () => {
    const expected = { a: [1, { b: 2 }], c: null, 'x/y': 1 }
    expect(differences(expected, { a: [1, { b: 3 }, 4], c: [] }, '/objects')).toEqual([
      '/objects/a/1/b: expected 2, found 3',
      '/objects/a/2: expected nothing, found 4',
      '/objects/c: expected null, found []',
      '/objects/x~1y: expected 1, found nothing',
    ])
  })

  it('are limited to 20 and a count of the rest', () => {
    const many = Array.from({ length: 100 }, (_, index) => index)
    expect(differences(many, [], '')).toHaveLength(21)
  })

  it('are empty for equal values, regardless of the order of their fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed())
        expect(differences(value, turned, '')).toEqual([])
      }),
    )
  })
})

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rivers-'))
  await mkdir(join(folder, 'samples'))
  await writeFile(join(folder, 'mapping.yaml'), 'version: 1\nstream: a/b\neach: x\n')
  await writeSample('good.csv')
  await writeSample('good.expected.json', '{"objects": []}')
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

const writeSample = (name: string, text = '') => writeFile(join(folder, 'samples', name), text)

async function run(aim: 'compare' | 'write') {
  const preview = () => Promise.resolve({ objects: [], rejected: [] })
  const results = []
  for (const one of await loadSampled(folder)) {
    results.push(...(await runSamples(one, { preview, aim })))
  }
  return results.map(({ name, ...more }) => ({ ...more, name: name.split('/')[1] }))
}

const good = { name: 'good', outcome: 'same', differences: [] }

describe('Samples', () => {
  it('are the files next to their expected results', async () => {
    await writeSample('.hidden')
    expect(await run('compare')).toEqual([good])
  })

  it('cannot share their expected results', async () => {
    await writeSample('a.csv')
    await writeSample('a.json')
    const reason = 'a.csv and a.json would share a.expected.json; name them differently'
    const shared = { name: 'a', outcome: 'different', differences: [reason] }
    expect(await run('compare')).toEqual([shared, good])
    expect(await run('write')).toMatchObject([shared, { name: 'good', outcome: 'written' }])
    expect(await readdir(join(folder, 'samples'))).not.toContain('a.expected.json')
  })

  it('cannot be folders or broken links', async () => {
    await mkdir(join(folder, 'samples', 'more'))
    await symlink('nowhere', join(folder, 'samples', 'lost.csv'))
    expect(await run('compare')).toEqual([
      good,
      {
        name: 'lost',
        outcome: 'different',
        differences: ['lost.csv cannot be read; samples are files'],
      },
      { name: 'more', outcome: 'different', differences: ['more is a folder; samples are files'] },
    ])
  })
})
