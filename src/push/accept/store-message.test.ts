import { expect, it } from 'vitest'
import { readIdempotencyKey, runningKeys } from './store-message.ts'

it('gives a key back once: a later request that uses it keeps it', () => {
  const enter = runningKeys()
  const enterAgain = () => enter('sender', 'stream', 'key')
  const leave = enterAgain()
  expect(enterAgain).toThrow('is being answered')
  leave()
  const leaveLater = enterAgain()
  leave()
  expect(enterAgain).toThrow('is being answered')
  leaveLater()
  expect(enterAgain).not.toThrow()
})

it('reads a key with and without quotes, and refuses what nobody can print', () => {
  expect(['a b', '"a b"', ' a b '].map(readIdempotencyKey)).toEqual(['a b', 'a b', 'a b'])
  expect(readIdempotencyKey(undefined)).toBeUndefined()
  for (const wrong of ['', 'ä', 'x'.repeat(256)]) {
    expect(() => readIdempotencyKey(wrong)).toThrow('Idempotency-Key')
  }
})
