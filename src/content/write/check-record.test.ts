import { describe, expect, it } from 'vitest'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { checkOf } from './check-record.ts'

const event = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Event')

function check(members: object) {
  if (event === undefined) throw new Error('no Event')
  const { takes, refusals, warnings } = checkOf(event)
  const record = { Id: 'a', ...members }
  const [refused, warned] = [refusals, warnings].map((faultsOf) =>
    faultsOf(record).map(({ pointer }) => pointer),
  )
  expect(takes(record)).toBe(refused?.length === 0)
  return { refused, warned }
}

describe('A member of another type than usual', () => {
  it.each([
    [{ EventDate: [{ Cancelled: '0' }] }, '/EventDate/0/Cancelled'],
    [{ EventDate: [{ PriceFrom: '12,5' }] }, '/EventDate/0/PriceFrom'],
    [{ Shortname: 7 }, '/Shortname'],
    [{ Detail: [] }, '/Detail'],
    [{ ImageGallery: 'none' }, '/ImageGallery'],
    [{ Active: 'true' }, '/Active'],
    [{ HubActive: '0' }, '/HubActive'],
    [{ LicenseInfo: { ClosedData: 'TRUE' } }, '/LicenseInfo/ClosedData'],
    [{ GpsInfo: [{ Latitude: '46,5', Longitude: 11 }] }, '/GpsInfo/0/Latitude'],
    [{ Latitude: '-90', Longitude: '180' }, '/Latitude'],
  ])('is stored where the hub does not compute with it, or where it means one: %j', (sent, at) => {
    const { refused, warned } = check(sent)
    expect(refused).toEqual([])
    expect(warned).toContain(at)
  })

  it.each([
    [{ Active: 'perhaps' }, '/Active'],
    [{ Active: [true] }, '/Active'],
    [{ LicenseInfo: { ClosedData: 'no' } }, '/LicenseInfo/ClosedData'],
    [{ LicenseInfo: 'CC0' }, '/LicenseInfo'],
    [{ GpsInfo: {} }, '/GpsInfo'],
    [{ GpsInfo: [{ Longitude: 1_150_000 }] }, '/GpsInfo/0/Longitude'],
    [{ GpsInfo: [{ Longitude: '1150000' }] }, '/GpsInfo/0/Longitude'],
    [{ Latitude: '90.1' }, '/Latitude'],
    [{ EventDate: [{ From: '20.11.2026' }] }, '/EventDate/0/From'],
    [{ EventDate: 'never' }, '/EventDate'],
    [{ TagIds: [7] }, '/TagIds/0'],
    [{ Mapping: { lts: 1 } }, '/Mapping/lts'],
  ])('is refused where the hub computes with it: %j', (sent, at) => {
    expect(check(sent).refused).toEqual([at])
  })

  it('is refused however many others came before it', () => {
    const odd = Array.from({ length: 50 }, () => ({ Cancelled: [1] }))
    expect(check({ EventDate: [...odd, { From: 7 }] }).refused).toEqual(['/EventDate/50/From'])
  })

  it('is named, the first eight of a record', () => {
    const odd = Array.from({ length: 50 }, () => ({ Cancelled: [1] }))
    const { refused, warned } = check({ EventDate: odd })
    expect(refused).toEqual([])
    expect(warned).toEqual([
      ...Array.from({ length: 8 }, (_, at) => `/EventDate/${String(at)}/Cancelled`),
      '',
    ])
  })
})
