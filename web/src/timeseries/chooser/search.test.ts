import { expect, it } from 'vitest'
import { whereWords } from './search.ts'

it('requires each word in a name or code, literally and in any case', () => {
  expect(whereWords('  ')).toBeUndefined()
  expect(whereWords('bozen free')).toBe(
    'or(sname.ire."bozen",scode.ire."bozen",tname.ire."bozen"),or(sname.ire."free",scode.ire."free",tname.ire."free")',
  )
  expect(whereWords('P(1')).toContain(String.raw`sname.ire."P\\(1"`)
})
