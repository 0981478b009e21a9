import { expect, test } from 'vitest'
import { nextStep } from './dataset-query.ts'

test('Continued typing stays in the same history entry', () => {
  const first = nextStep(undefined, { search: 's' }, 0)
  const second = nextStep(first.step, { search: 'se' }, 2000)
  const third = nextStep(second.step, { search: 'see' }, 4000)
  expect([first.how, second.how, third.how]).toEqual(['push', 'replace', 'replace'])
})

test('Typing again after a pause adds a history entry', () => {
  const { step } = nextStep(undefined, { search: 's' }, 0)
  expect(nextStep(step, { search: 'se' }, 3000).how).toBe('push')
})

test('Another filter, and each click, adds a history entry', () => {
  const { step } = nextStep(undefined, { search: 's' }, 0)
  expect(nextStep(step, { expression: 'a' }, 1).how).toBe('push')
  const clicked = nextStep(undefined, { tags: ['a'] }, 0)
  expect(nextStep(clicked.step, { tags: ['a', 'b'] }, 1).how).toBe('push')
})
