import { expect, it } from 'vitest'
import { namesOf, pathOfSeries, whereExactly, whereSeries } from './where.ts'

const series = (type: string, code: string, dataType: string) => ({ type, code, dataType })

it('requests series of one kind in one condition, and each kind in its own', () => {
  const one = whereSeries([series('A', '1', 'x'), series('A', '2', 'x')])
  expect(one).toBe('and(stype.eq."A",tname.eq."x",scode.in.("1","2"))')
  const two = whereSeries([series('A', '1', 'x'), series('B', '1', 'x')])
  expect(two).toBe(
    'or(and(stype.eq."A",tname.eq."x",scode.in.("1")),and(stype.eq."B",tname.eq."x",scode.in.("1")))',
  )
})

it('omits the data type if all series of a station are requested', () => {
  expect(whereSeries([series('A', '1', '*')])).toBe('and(stype.eq."A",scode.in.("1"))')
})

it('adds the period of a series that is identified by it', () => {
  const [a, b] = [series('A', '1', 'x'), series('B', '1', 'x')]
  const slow = { ...a, period: 600 }
  expect(whereExactly([slow])).toBe('and(stype.eq."A",tname.eq."x",scode.in.("1"),mperiod.eq.600)')
  expect(whereExactly([b])).toBe(whereSeries([b]))
  expect(whereExactly([slow, b])).toBe(`or(${whereSeries([b])},${whereExactly([slow])})`)
})

it('encodes names for a path, and requests all if one contains a comma', () => {
  expect(pathOfSeries([series('A/B', '1', 'x y')])).toBe('A%2FB/x%20y')
  expect(namesOf(['a,b', 'c'])).toBe('*')
})
