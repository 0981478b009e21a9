import { describe, expect, it } from 'vitest'
import { checkHistory } from './migration-history.ts'

const file = (number: number, name: string, sha256 = name) => ({ number, name, sha256, text: '' })
const files = [file(1, '0001-a.sql'), file(2, '0002-b.sql'), file(3, '0003-c.sql')]

describe('checkHistory', () => {
  it('accepts what is the beginning of the files', () => {
    for (const count of [0, 1, 2, 3]) {
      expect(() => {
        checkHistory(files.slice(0, count), files)
      }).not.toThrow()
    }
  })

  it('refuses the database of a newer version, and says what to do', () => {
    expect(() => {
      checkHistory(files, files.slice(0, 2))
    }).toThrow(/newer version of the hub: its migration 0003-c\.sql.+Start the newer version/)
  })

  it('refuses a file that was edited after it was applied, and says what to do', () => {
    const applied = [file(1, '0001-a.sql', 'another')]
    expect(() => {
      checkHistory(applied, files)
    }).toThrow(/0001-a\.sql was changed after it was applied.+Restore the file/)
  })

  it('refuses a file that came in before one that was applied', () => {
    const applied = [file(1, '0001-a.sql'), file(3, '0003-c.sql')]
    expect(() => {
      checkHistory(applied, files)
    }).toThrow(/0002-b\.sql is not in the database, which has 0003-c\.sql in its place/)
  })
})
