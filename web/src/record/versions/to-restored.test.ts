import { expect, it } from 'vitest'
import { toRestored, toRestoreRequest } from './to-restored.ts'

it('omits generated fields, which the hub generates again', () => {
  const meta = { _Meta: { Generated: ['GpsPoints', 'Dates.Place'] } }
  const version = { Id: 'A', GpsPoints: {}, Dates: [{ Place: 1, From: 2 }], ...meta }
  expect(toRestored(version)).toEqual({ Id: 'A', Dates: [{ From: 2 }], ...meta })
})

it('replaces only the state that was read, and refuses a record without an ETag', () => {
  const record = { Id: 'A', Active: true }
  const request = { path: '/v1/Event/A', version: { Id: 'A', Active: false } }
  expect(toRestoreRequest({ ...request, present: { record, etag: '"1.a"' } })).toEqual({
    ...{ method: 'PUT', path: '/v1/Event/A', body: { Id: 'A', Active: false } },
    ifMatch: '"1.a"',
  })
  const unmarked = { ...request, present: { record, etag: undefined } }
  expect(() => toRestoreRequest(unmarked)).toThrow('has no ETag')
})
