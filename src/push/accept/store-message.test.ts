import { expect, it } from 'vitest'
import { readIdempotencyKey, runningKeys } from './store-message.ts'

it('releases a key only once: a later request with the same key keeps it', () => {
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

it('reads a key with or without quotes, and refuses an empty, non-ASCII or too long one', () => {
  expect(['a b', '"a b"', ' a b '].map(readIdempotencyKey)).toEqual(['a b', 'a b', 'a b'])
  expect(readIdempotencyKey(undefined)).toBeUndefined()
  for (const wrong of ['', 'ä', 'x'.repeat(256)]) {
    expect(() => readIdempotencyKey(wrong)).toThrow('Idempotency-Key')
  }
})
