import fc from 'fast-check'
import { expect, it } from 'vitest'
import { everyType, mostSeries, parseSeries, printSeries, seriesCodec } from './series-id.ts'

const name = fc.string({ minLength: 1 }).filter((text) => !/[\uD800-\uDFFF]/.test(text))

it('reads every series that it writes, whatever its names hold', () => {
  const id = fc.record({ type: name, code: name, dataType: name })
  fc.assert(
    fc.property(id, fc.option(fc.nat(), { nil: undefined }), (one, period) => {
      const whole = period === undefined ? one : { ...one, period }
      expect(parseSeries(printSeries(whole))).toEqual(whole)
    }),
  )
})

it('takes a station alone for all that is measured there', () => {
  expect(parseSeries('ParkingStation/P1')).toEqual({
    type: 'ParkingStation',
    code: 'P1',
    dataType: everyType,
  })
})

it('leaves out what names no series, what comes twice, and what is too much', () => {
  const many = Array.from({ length: 20 }, (_, index) => `T/${String(index)}/d`)
  expect(seriesCodec.read(['', 'T', 'T/1/d', 'T/1/d'])).toHaveLength(1)
  expect(seriesCodec.read(many)).toHaveLength(mostSeries)
})
