import { expect, it } from 'vitest'
import { toProblem } from './problem.ts'

it('reads where in a text the fault is, and what is allowed there', () => {
  const fault = {
    parameter: 'rawfilter',
    detail: 'A comma is missing',
    position: 7,
    expected: [','],
  }
  const problem = { title: 'Syntax error', status: 400, errorCode: 'HUB-QRY-003', errors: [fault] }
  expect(toProblem(problem)).toEqual(problem)
})

it('keeps what has the expected form and leaves the rest', () => {
  expect(toProblem({ title: 7, detail: 'Too long', errors: ['x', {}] })).toEqual({
    detail: 'Too long',
    errors: [{ detail: '' }],
  })
})

it('is nothing where the body is not a problem', () => {
  for (const body of [undefined, null, 'Bad gateway', [1]]) expect(toProblem(body)).toBeUndefined()
})
