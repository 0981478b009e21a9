import { expect, it } from 'vitest'
import { firstRequests } from './first-requests.ts'
import { freshnessRequest, latestRequest } from './series/where.ts'

const quota = { path: '/quota' }

it('asks what the series of the address are, and what the caller may request', () => {
  const ids = [{ type: 'ParkingStation', code: 'P1', dataType: 'free' }]
  const search = new URLSearchParams('range=1y&series=ParkingStation/P1/free')
  expect(firstRequests(search)).toEqual([freshnessRequest(ids), latestRequest(ids), quota])
})

it('requests no series where none is chosen', () => {
  expect(firstRequests(new URLSearchParams('series=none'))).toEqual([quota])
})
