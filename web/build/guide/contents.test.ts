import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chapters, elsewhere } from './contents.ts'

const root = new URL('../../../', import.meta.url)

describe('The files of the guide', () => {
  it('are let into the image in which the page is built', () => {
    const lines = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n')
    const allowed = lines.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const isAllowed = (file: string) =>
      allowed.some((path) => file === path || file.startsWith(`${path}/`))
    const files = [...chapters.map(({ file }) => file), ...Object.keys(elsewhere)]
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((file) => !isAllowed(file))).toEqual([])
  })
})
