import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkHistory, readMigrationFiles } from './migrate.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (names: readonly string[]) =>
  Promise.all(names.map((name) => writeFile(join(folder, name), 'select 1')))

describe('readMigrationFiles', () => {
  it('reads the files in the order of their numbers, and nothing else in the folder', async () => {
    await write(['0002-b.sql', '0001-a.sql', 'README.md'])
    const files = await readMigrationFiles(folder)
    expect(files.map(({ name }) => name)).toEqual(['0001-a.sql', '0002-b.sql'])
    expect(files[0]).toMatchObject({
      number: 1,
      text: 'select 1',
      sha256: '822ae07d4783158bc1912bb623e5107cc9002d519e1143a9c200ed6ee18b6d0f',
    })
  })

  it('refuses a gap and reports the missing number', async () => {
    await write(['0001-a.sql', '0003-c.sql'])
    await expect(readMigrationFiles(folder)).rejects.toThrow(/0002 is missing/)
  })

  it('refuses a number that is used twice', async () => {
    await write(['0001-a.sql', '0001-b.sql'])
    await expect(readMigrationFiles(folder)).rejects.toThrow(/Two migrations have the number 0001/)
  })

  it('refuses a name of another form, which would otherwise be silently skipped', async () => {
    await write(['0001-a.sql', '2-b.sql'])
    await expect(readMigrationFiles(folder)).rejects.toThrow(/2-b\.sql must be named like/)
  })
})

const file = (number: number, name: string, sha256 = name) => ({ number, name, sha256, text: '' })
const files = [file(1, '0001-a.sql'), file(2, '0002-b.sql'), file(3, '0003-c.sql')]

describe('checkHistory', () => {
  it('accepts applied migrations that are the start of the files', () => {
    for (const count of [0, 1, 2, 3]) {
      expect(() => {
        checkHistory(files.slice(0, count), files)
      }).not.toThrow()
    }
  })

  it('refuses the database of a newer version, and states the remedy', () => {
    expect(() => {
      checkHistory(files, files.slice(0, 2))
    }).toThrow(/newer version of the hub: its migration 0003-c\.sql.+Start the newer version/)
  })

  it('refuses a file that was edited after it was applied, and states the remedy', () => {
    const applied = [file(1, '0001-a.sql', 'another')]
    expect(() => {
      checkHistory(applied, files)
    }).toThrow(/0001-a\.sql was changed after it was applied.+Restore the file/)
  })

  it('refuses a file that was added before an applied one', () => {
    const applied = [file(1, '0001-a.sql'), file(3, '0003-c.sql')]
    expect(() => {
      checkHistory(applied, files)
    }).toThrow(/0002-b\.sql is not in the database, which has 0003-c\.sql in its place/)
  })
})
