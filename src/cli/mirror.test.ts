import { expect, it } from 'vitest'
import { runHub } from '../../test/fixtures/run-hub.ts'

const run = (...args: readonly string[]) => runHub(['mirror', ...args])

it('A token and a password on the command line are refused, and not shown', async () => {
  const token = await run('http://localhost:9', '--to', 'copy', '--token', 'very-secret')
  expect([token.code, token.err]).toEqual([2, expect.stringContaining('Set HUB_MIRROR_TOKEN')])
  const password = await run('http://localhost:9', '--to', 'postgres://me:very-secret@db/copy')
  expect([password.code, password.err]).toEqual([2, expect.stringContaining('Set PGPASSWORD')])
  expect(token.err).not.toContain('very-secret')
  const capital = await run('http://localhost:9', '--to', 'POSTGRES://me:very-secret@db/copy')
  expect([capital.code, capital.err]).toEqual([2, expect.stringContaining('Set PGPASSWORD')])
})

it('Invalid URLs, targets and schemas are refused', async () => {
  for (const url of ['hub.example', 'ftp://hub.example', 'http://hub.example?a=b']) {
    expect(await run(url, '--to', 'copy')).toMatchObject({ code: 2 })
  }
  expect(await run('http://hub.example')).toMatchObject({ code: 2 })
  expect(await run('http://hub.example', '--to', 'copy', '--schema', 'a"b')).toMatchObject({
    code: 2,
    err: expect.stringContaining('lower-case letters'),
  })
})
