import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { schemaIssues } from '../../errors/index.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { judgeFaults } from './judge-faults.ts'

const event = entitiesOf(toNaming('Hub')).find(({ name }) => name === 'Event')

function judge(members: object) {
  if (event === undefined) throw new Error('no Event')
  const record = { Id: 'a', ...members }
  const faults = schemaIssues(Compile(event.schema).Errors(record))
  const { refused, warned } = judgeFaults(event, record, faults)
  return [refused, warned].map((some) => some.map(({ pointer }) => pointer))
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
    const [refused, warned] = judge(sent)
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
    expect(judge(sent)[0]).toEqual([at])
  })
})
