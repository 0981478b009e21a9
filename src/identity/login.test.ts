import { expect, it } from 'vitest'
import { pagePolicy } from './login.ts'

it.each([
  [undefined, "form-action 'self'"],
  ['https://site.example/back?x=1', "form-action 'self' https://site.example"],
  ['http://localhost:3000/back', "form-action 'self' http://localhost:3000"],
  ['http://[::1]:3000/back', "form-action 'self' http:"],
  ['org.example.app:/done', "form-action 'self' org.example.app:"],
])('allows a form to redirect to %s', (end, expected) => {
  expect(pagePolicy(end).split('; ').at(-1)).toBe(expected)
})
