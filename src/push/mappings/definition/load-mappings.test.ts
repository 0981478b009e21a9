import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MappingError } from '../faults.ts'
import { findMappings, loadMappings } from './load-mappings.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mappings-'))
  await mkdir(join(folder, 'rivers'))
  await writeFile(join(folder, 'rivers', 'mapping.yaml'), 'version: 1.10\nstream: a/b\neach: x\n')
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('A folder of mappings', () => {
  it('keeps the version of each mapping as written', async () => {
    expect(await loadMappings(folder)).toMatchObject([{ name: 'rivers', version: '1.10' }])
  })

  it('can have a mapping for several streams, unless another mapping has one of them', async () => {
    const several = 'version: 1\nstream: a/c\notherStreams: [/a/d]\neach: x\n'
    await writeFile(join(folder, 'lakes.yaml'), several)
    const loaded = await loadMappings(folder)
    expect(loaded.map(({ name, stream }) => [name, stream])).toEqual([
      ['lakes', 'a/c'],
      ['lakes', 'a/d'],
      ['rivers', 'a/b'],
    ])
    await writeFile(join(folder, 'lakes.yaml'), several.replace('/a/d', 'a/b'))
    await expect(loadMappings(folder)).rejects.toThrow('has the stream a/b, which lakes.yaml has')
  })

  it.each([
    ['#/$defs/a~1b', undefined],
    ['#/$defs/m~0n', undefined],
    ['#/$defs/x%20y', undefined],
    ['#/anyOf/0', undefined],
    ['#/anyOf/1', 'leads nowhere'],
    ['#/anyOf/length', 'leads nowhere'],
    ['#/$defs/a/b', 'leads nowhere'],
    ['#/$defs/%zz', 'leads nowhere'],
    ['#/$defs/%ff', 'leads nowhere'],
  ])('can have schemas with the reference %s only if it leads somewhere', async ($ref, fault) => {
    const some = { type: 'object' }
    const schema = { $defs: { 'a/b': some, 'm~n': some, 'x y': some }, anyOf: [some] }
    const itemSchema = JSON.stringify({ ...schema, properties: { x: { $ref } } })
    await writeFile(
      join(folder, 'lakes.yaml'),
      `version: 1\nstream: a/c\neach: x\nitemSchema: ${itemSchema}\n`,
    )
    const load = loadMappings(folder)
    if (fault === undefined) await expect(load).resolves.toHaveLength(2)
    else await expect(load).rejects.toThrow(fault)
  })

  it('may contain hidden files and other files', async () => {
    await symlink('nowhere', join(folder, '.#lock'))
    await writeFile(join(folder, 'README.md'), '')
    expect(await findMappings(folder)).toMatchObject({ places: [{ name: 'rivers' }], faults: [] })
  })

  it('reports broken links together with all other faults', async () => {
    await symlink('nowhere', join(folder, 'lakes'))
    await symlink('nowhere.yaml', join(folder, 'ponds.yaml'))
    await writeFile(join(folder, 'rivers', 'mapping.yaml'), 'version: 1\n')
    const error: unknown = await loadMappings(folder).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MappingError)
    expect(String(error)).toMatch(/- lakes: cannot be read/)
    expect(String(error)).toMatch(/- ponds.yaml: cannot be read/)
    expect(String(error)).toMatch(/stream is required/)
  })
})
