import { expect, it } from 'vitest'
import { SESSION_IDLE, SESSION_MAXIMUM, refreshLifetime } from './client-credentials.ts'

it.each([
  ['the idle time of a session', { began: 0, now: 0, client: null }, SESSION_IDLE],
  ['what the session has left', { began: 0, now: SESSION_MAXIMUM - 100, client: null }, 100],
  ['the limit of the client', { began: 0, now: 0, client: 60 }, 60],
])('A refresh token is valid for %s if that is the shortest', (_, limits, seconds) => {
  expect(refreshLifetime(limits)).toBe(seconds)
})
