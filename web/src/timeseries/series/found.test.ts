import { expect, it } from 'vitest'
import { toFound, withLatest } from './found.ts'

const row = (scode: string, tname: string, mperiod = 600) => ({
  stype: 'A',
  scode,
  tname,
  mperiod,
  kind: 'number' as const,
  state: 'fresh' as const,
  tunit: '[°C]',
})
const id = (code: string, dataType: string) => ({ type: 'A', code, dataType })

it('keeps the order of the URL, and lists missing series', () => {
  const { series, missing } = toFound(
    [id('2', 'x'), id('1', 'x'), id('3', 'x')],
    [row('1', 'x'), row('2', 'x')],
    [],
  )
  expect(series.map(({ key }) => key)).toEqual(['A/2/x', 'A/1/x'])
  expect(missing).toEqual([id('3', 'x')])
  expect(series[0]).toMatchObject({ unit: '°C', step: 600_000, latest: undefined })
})

it('expands a station into all its series, each once', () => {
  const { series } = toFound([id('1', 'x'), id('1', '*')], [row('1', 'x'), row('1', 'y')], [])
  expect(series.map(({ key }) => key)).toEqual(['A/1/x', 'A/1/y'])
})

it('distinguishes series by their period only if nothing else differs', () => {
  const { series } = toFound([id('1', 'x')], [row('1', 'x', 600), row('1', 'x', 3600)], [])
  expect(series.map(({ key }) => key)).toEqual(['A/1/x/600', 'A/1/x/3600'])
})

it('updates the latest value, and leaves series without one unchanged', () => {
  const { series } = toFound([id('1', 'x'), id('2', 'x')], [row('1', 'x'), row('2', 'x')], [])
  const latest = { ...row('1', 'x'), mvalidtime: '2026-11-22 10:00:00.000+0000', mvalue: 7 }
  expect(withLatest(series, [latest]).map((one) => one.latest?.value)).toEqual([7, undefined])
})
