import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { silentLog } from '../../test/fixtures/silent-log.ts'
import { loadMappings } from '../push/index.ts'
import { followMappings } from './follow-mappings.ts'

it('follows changes to mapping files, and keeps valid ones while one has a fault', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mappings-'))
  await mkdir(join(folder, 'rivers'))
  const file = join(folder, 'rivers', 'mapping.yaml')
  await writeFile(file, 'version: 1\nstream: a/b\neach: x\n')
  let look = (): void => undefined
  let changes = 0
  const every = (_: number, work: () => void) => {
    look = work
    return () => undefined
  }
  const mappings = followMappings({
    ...{ folder, loaded: await loadMappings(folder), environment: { every, log: silentLog } },
    stored: { look: () => Promise.resolve([]), faults: () => new Map() },
    onChange: () => Promise.resolve(void (changes += 1)),
  })
  await mappings.follow()
  const versions = () => mappings.current().map(({ version }) => version)
  // A check in progress is not started again.
  const afterLook = async (seen: () => unknown, wanted: unknown) => {
    await expect
      .poll(() => {
        look()
        return seen()
      })
      .toEqual(wanted)
  }
  await writeFile(file, 'version: 2\nstream: a/b\neach: xy\n')
  await afterLook(versions, ['2'])
  await writeFile(file, 'version: 3\nstream: a/b\n')
  await afterLook(() => mappings.problems().length, 1)
  expect([versions(), changes]).toEqual([['2'], 1])
  await writeFile(join(folder, 'rivers', 'note.txt'), '')
  await writeFile(file, 'version: 4\nstream: a/b\neach: xyz\n')
  await afterLook(versions, ['4'])
  expect([mappings.problems(), changes]).toEqual([[], 2])
  await rm(folder, { recursive: true })
})
