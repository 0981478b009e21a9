import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readPassword } from './options.ts'

// Neither is a terminal in this test.
const context = { input: process.stdin, progressTo: process.stderr }

it('A password is read from the first line of a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hub-secret-'))
  const file = join(folder, 'password')
  await writeFile(file, 'long enough \r\nand more')
  expect(await readPassword({ passwordFile: file }, context)).toEqual({
    text: 'long enough ',
    origin: 'given',
  })
  await writeFile(file, 'short')
  await expect(readPassword({ passwordFile: file }, context)).rejects.toThrow('8 characters')
  await rm(folder, { recursive: true })
})

it('A missing password is generated, long and different each time', async () => {
  const one = await readPassword({}, context)
  const other = await readPassword({}, context)
  expect(one.origin).toBe('generated')
  expect(one.text).toMatch(/^[\w-]{32}$/)
  expect(one.text).not.toBe(other.text)
})

it('A password is prompted for only on a terminal', async () => {
  const input = Object.assign(Object.create(process.stdin), { isTTY: false })
  await expect(readPassword({ ask: true }, { ...context, input })).rejects.toThrow(
    '--password-file',
  )
})
