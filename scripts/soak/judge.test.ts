import { describe, expect, it } from 'vitest'
import { growth, judge } from './judge.ts'

const nothing = { retryAfter: undefined, authenticate: undefined, bore: 'nothing' } as const
const expired = 'Bearer error="invalid_token"'

describe('judge', () => {
  it.each([
    ['answered', { ...nothing, status: 200 }],
    ['answered', { ...nothing, status: 304 }],
    ['honest refusal', { ...nothing, status: 503, retryAfter: '5' }],
    ['failed', { ...nothing, status: 503 }],
    ['failed', { ...nothing, status: 503, retryAfter: 'soon' }],
    ['failed', { ...nothing, status: 500, retryAfter: '5' }],
    ['failed', { ...nothing, status: 429, retryAfter: '1' }],
    ['renewed token', { ...nothing, status: 401, bore: 'token', authenticate: expired }],
    ['failed', { ...nothing, status: 401, authenticate: expired }],
    ['failed', { ...nothing, status: 401, bore: 'token', authenticate: 'Bearer' }],
    ['failed', { ...nothing, status: 0 }],
  ] as const)('classifies as %s: %o', (outcome, answer) => {
    expect(judge(answer)).toBe(outcome)
  })
})

describe('growth', () => {
  const ramp = (from: number, to: number) =>
    Array.from({ length: 100 }, (_, at) => from + ((to - from) * at) / 99)

  it('treats warm-up and noise as bounded', () => {
    expect(
      growth([...ramp(100, 400).slice(0, 25), ...ramp(400, 410).slice(0, 75)], 60).isBounded,
    ).toBe(true)
    expect(growth(ramp(300, 340), 60).isBounded).toBe(true)
  })

  it('treats continued growth and missing data as unbounded', () => {
    expect(growth([], 60).isBounded).toBe(false)
    expect(growth(ramp(200, 600), 60).isBounded).toBe(false)
  })
})
