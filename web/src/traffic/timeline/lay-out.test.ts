import { expect, it } from 'vitest'
import { sampleEvent } from '../events/sample-event.ts'
import { layOut, moveFrom } from './lay-out.ts'

const span = { from: 0, to: 1000 }
const size = { width: 100, least: 10, gap: 2 }
const event = (id: string, [start, end]: readonly [number, number?], kind = 'closure') =>
  sampleEvent({ id, start, end, kinds: [kind] })

it('puts overlapping events into separate lanes, and reuses lanes', () => {
  const events = [event('a', [0, 400]), event('b', [200, 600]), event('c', [500, 900])]
  const [band] = layOut(events, span, size)
  expect(band?.bars.map(({ event: { id }, lane }) => [id, lane])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ])
  expect(band?.lanes).toBe(2)
})

it('cuts events at the span, and makes the shortest wide enough to click', () => {
  const [band] = layOut([event('long', [-50, 2000]), event('late', [999, 1000])], span, size)
  expect(band?.bars[0]).toMatchObject({ x: 0, width: 100, isCutBefore: true, isCutAfter: true })
  expect(band?.bars[1]).toMatchObject({ x: 90, width: 10, isCutBefore: false, isCutAfter: false })
})

it('extends events without an end to the end of the span, and marks them as open', () => {
  const [band] = layOut([event('open', [500])], span, size)
  expect(band?.bars[0]).toMatchObject({ x: 50, width: 50, isOpen: true, isCutAfter: false })
})

it('moves by arrow keys between events by time, and between kinds by position', () => {
  const events = [event('a', [0, 100]), event('b', [500, 600]), event('c', [450, 600], 'fog')]
  const bands = layOut(events, span, size)
  const keys = (from: string, ...pressed: readonly string[]) =>
    pressed.map((key) => moveFrom(bands, from, key))
  expect(keys('a', 'ArrowRight', 'ArrowLeft', 'ArrowDown')).toEqual(['b', 'a', 'c'])
  expect(keys('c', 'ArrowUp', 'ArrowLeft', 'Home', 'End')).toEqual(['b', 'b', 'a', 'c'])
  expect(keys('a', 'x')).toEqual([undefined])
})
