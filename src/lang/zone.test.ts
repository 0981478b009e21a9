import { describe, expect, it } from 'vitest'
import { findRegion, toMoments } from './zone.ts'

/** Returns the moments of a local time in ISO 8601. */
function momentsOf(local: string, zone: string): readonly string[] {
  const { offsetAt } = findRegion(zone, 1000) ?? { offsetAt: () => Number.NaN }
  return toMoments(Date.parse(`${local}Z`), offsetAt).map((moment) =>
    new Date(moment ?? Number.NaN).toISOString().slice(0, 16),
  )
}

describe('The moments of a local time', () => {
  it.each([
    ['2026-03-29T02:30', 'Europe/Rome', '2026-03-29T01:30'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45'],
    ['2026-03-08T00:30', 'America/Havana', '2026-03-08T05:30'],
    ['2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30'],
    ['2026-03-28T23:30', 'America/Nuuk', '2026-03-29T01:30'],
    ['2026-03-29T00:30', 'Atlantic/Azores', '2026-03-29T01:30'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00'],
  ])('that clocks skip are one, after the gap: %s in %s', (local, zone, moment) => {
    expect(momentsOf(local, zone)).toEqual([moment])
  })

  it.each([
    ['2026-10-25T02:30', 'Europe/Rome', ['2026-10-25T00:30', '2026-10-25T01:30']],
    ['2026-11-01T01:30', 'America/New_York', ['2026-11-01T05:30', '2026-11-01T06:30']],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', ['2026-04-04T14:45', '2026-04-04T15:15']],
    ['2026-04-04T23:30', 'America/Santiago', ['2026-04-05T02:30', '2026-04-05T03:30']],
  ])('that occurs twice are both: %s in %s', (local, zone, moments) => {
    expect(momentsOf(local, zone)).toEqual(moments)
  })

  it.each([
    ['2026-10-04T02:30', 'Australia/Lord_Howe', '2026-10-03T15:30'],
    ['2026-10-04T01:59', 'Australia/Lord_Howe', '2026-10-03T15:29'],
    ['2026-09-06T01:00', 'America/Santiago', '2026-09-06T04:00'],
    ['2026-07-01T12:00', 'Europe/Rome', '2026-07-01T10:00'],
  ])('that occurs once are one: %s in %s', (local, zone, moment) => {
    expect(momentsOf(local, zone)).toEqual([moment])
  })
})
