import { expect, it } from 'vitest'
import { firstRequests } from './first-requests.ts'
import { freshnessRequest, latestRequest } from './series/where.ts'

const quota = { path: '/quota' }

it('requests the series of the URL, and the quota of the caller', () => {
  const ids = [{ type: 'ParkingStation', code: 'P1', dataType: 'free' }]
  const search = new URLSearchParams('range=1y&series=ParkingStation/P1/free')
  expect(firstRequests(search)).toEqual([freshnessRequest(ids), latestRequest(ids), quota])
})

it('requests no series if none is selected', () => {
  expect(firstRequests(new URLSearchParams('series=none'))).toEqual([quota])
})
