import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entitiesOf, toNaming } from '../content/index.ts'
import { canonicalKinds } from '../push/index.ts'
import type { CanonicalObject } from './canonical.ts'
import { isInside, layOut } from './geography/geography.ts'
import { planRegion } from './index.ts'
import type { Region } from './index.ts'

const naming = toNaming('Hub')
const until = new Date('2026-11-20T12:00:00Z')
const plan = { seed: 1, scale: 1, until, naming, publicUrl: 'http://localhost:8080/' }
const region = planRegion(plan)
const content = [...region.content()]
const small = planRegion({ ...plan, scale: 0.1 })

const minutesLater = (minutes: number) => new Date(until.getTime() + minutes * 60_000)

function* everything(of: Region): Generator<CanonicalObject> {
  for (const part of [of.content, of.availability, of.dataTypes, of.stations, of.edges, of.events])
    yield* part()
  yield* of.measurements()
}

function hashOf(objects: Iterable<CanonicalObject>): string {
  const hash = createHash('sha256')
  for (const object of objects) hash.update(JSON.stringify(object))
  return hash.digest('hex')
}

const count = (objects: Iterable<{ readonly items: readonly unknown[] }>) =>
  [...objects].reduce((sum, { items }) => sum + items.length, 0)

describe('the synthetic region', { timeout: 30_000 }, () => {
  it('is byte-identical for the same seed, and different for another seed', () => {
    const first = hashOf(everything(small))
    expect(hashOf(everything(planRegion({ ...plan, scale: 0.1 })))).toBe(first)
    expect(hashOf(everything(planRegion({ ...plan, scale: 0.1, seed: 2 })))).not.toBe(first)
  })

  it('has 3,000 records, 1,000 stations and a million values at scale 1', () => {
    expect(region.size).toMatchObject({ content: 3000, stations: 1000 })
    expect(region.size.measurements).toBeGreaterThanOrEqual(1_000_000)
    expect(region.size.measurements).toBeLessThan(1_050_000)
  })

  it.each([
    'content',
    'availability',
    'dataTypes',
    'stations',
    'edges',
    'events',
    'measurements',
  ] as const)('states the number of %s in advance', (part) => {
    expect(count(region[part]())).toBe(region.size[part])
  })

  it('keeps messages small, however large the region', () => {
    const values: number[] = []
    for (const { items } of planRegion({ ...plan, scale: 4 }).measurements()) {
      if (values.push(items.length) === 20) break
    }
    const largest = Math.max(...values)
    expect(largest).toBeLessThanOrEqual(10_000)
    expect(largest).toBeGreaterThan(5000)
    expect(Math.max(...content.map(({ items }) => items.length))).toBe(500)
  })

  it('has a unique identifier for every record', () => {
    const ids = content.flatMap(({ entity, items }) => items.map(({ Id }) => `${entity} ${Id}`))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('matches the canonical formats and the schemas of the entities', () => {
    const kinds = new Map(canonicalKinds(entitiesOf(naming)).map((kind) => [kind.name, kind]))
    const objects = [...everything(small), ...small.live(until, minutesLater(60))]
    for (const object of objects) {
      const part = kinds.get(object.kind)?.check(JSON.parse(JSON.stringify(object)))
      expect(part?.rejected).toEqual([])
    }
  })

  it('grows with the scale without changing existing items', () => {
    const half = planRegion({ ...plan, scale: 0.5 })
    const texts = (objects: Iterable<CanonicalObject>) =>
      [...objects].flatMap(({ items }) => items.map((item) => JSON.stringify(item)))
    const whole = new Set(texts([...content, ...region.stations(), ...region.events()]))
    const part = texts([...half.content(), ...half.stations(), ...half.events()])
    expect(part.filter((text) => !whole.has(text))).toEqual([])
    expect(part.length).toBeGreaterThan(2000)
  })

  it('is twice as large at scale 2', () => {
    const { size } = planRegion({ ...plan, scale: 2 })
    expect(size).toMatchObject({ content: 6000, stations: 2000 })
    expect(size.measurements / region.size.measurements).toBeCloseTo(2, 1)
  })

  it('has URLs of pictures on the hub, without a double slash', () => {
    const text = JSON.stringify([...small.content()])
    expect(text).toContain('http://localhost:8080/demo/images/house-')
    expect(text).not.toContain('8080//')
  })

  it('has a few closed records, closed sources and inactive records', () => {
    const records = content
      .filter(({ entity }) => entity === 'Accommodation')
      .flatMap(({ items }) => items.map((item) => JSON.stringify(item)))
    const closed = records.filter((text) => text.includes('"ClosedData":true'))
    expect(closed.length).toBeGreaterThan(10)
    expect(closed.length).toBeLessThan(records.length / 5)
    expect(closed.some((text) => text.includes('"Source":"bookings"'))).toBe(true)
    expect(records.some((text) => text.includes('"Active":false'))).toBe(true)
  })
})

describe('places in the synthetic region', () => {
  const { outline } = layOut('1')
  const [border = []] = outline.type === 'Polygon' ? outline.coordinates : []
  const ring = border.map(([x = NaN, y = NaN]) => [x, y] as const)

  it('are inside its outline', () => {
    const stations = [...region.stations()].flatMap(({ items }) =>
      items.flatMap(({ coordinate }) => (coordinate === null ? [] : [coordinate])),
    )
    const found = [...JSON.stringify(content).matchAll(position)]
    const records = found.map(([, y, x]) => [Number(x), Number(y)] as const)
    const outside = [...stations, ...records].filter((place) => !isInside(ring, place))
    expect(outside).toEqual([])
    expect(stations.length).toBeGreaterThan(900)
    expect(records.length).toBeGreaterThan(2000)
  })
})

const position = /"Latitude":([\d.]+),"Longitude":([\d.]+)/g
