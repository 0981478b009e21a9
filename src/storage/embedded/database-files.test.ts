import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFiles } from './database-files.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-test-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true })
})

const someFile = () => join(dataDir, 'pg', 'some-file')

describe('openFiles', () => {
  it('makes a folder that only this user can read', () => {
    expect(statSync(openFiles(dataDir).folder).mode & 0o777).toBe(0o700)
  })

  it('throws away what a first start that was killed left behind', () => {
    openFiles(dataDir)
    writeFileSync(someFile(), 'half of a database')
    openFiles(dataDir)
    expect(existsSync(someFile())).toBe(false)
  })

  it('never touches a database that has started once, or came from elsewhere', () => {
    openFiles(dataDir).complete()
    writeFileSync(someFile(), 'data')
    openFiles(dataDir)
    openFiles(dataDir).complete()
    expect(existsSync(someFile())).toBe(true)
  })
})
