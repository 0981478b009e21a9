import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addressFor, openFiles, socketName } from './address.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hub-test-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

function socketFolder(dataDir: string): string {
  const address = addressFor(dataDir, 'linux')
  if (address.kind !== 'socket') throw new Error('not a socket')
  return address.folder
}

describe('addressFor', () => {
  it('returns a socket in the data folder that only this user can reach', () => {
    const dataDir = temporaryFolder()
    const folder = socketFolder(dataDir)
    expect(folder).toBe(join(dataDir, 'run'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('returns a separate short folder when the path is too long for a socket', () => {
    const dataDir = join(temporaryFolder(), 'x'.repeat(90))
    const folder = socketFolder(dataDir)
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    expect(join(folder, socketName).length).toBeLessThan(104)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(socketFolder(dataDir)).toBe(folder)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('returns a free port where Unix sockets are not available', () => {
    expect(addressFor('C:\\data', 'win32')).toEqual({ kind: 'port', port: 0 })
  })
})

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-test-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true })
})

const someFile = () => join(dataDir, 'pg', 'some-file')

describe('openFiles', () => {
  it('creates a folder that only this user can read', () => {
    expect(statSync(openFiles(dataDir).folder).mode & 0o777).toBe(0o700)
  })

  it('deletes the files of a first start that was killed', () => {
    openFiles(dataDir)
    writeFileSync(someFile(), 'half of a database')
    openFiles(dataDir)
    expect(existsSync(someFile())).toBe(false)
  })

  it('keeps a database that has started once', () => {
    openFiles(dataDir).complete()
    writeFileSync(someFile(), 'data')
    openFiles(dataDir)
    openFiles(dataDir).complete()
    expect(existsSync(someFile())).toBe(true)
  })
})
