import { describe, expect, it } from 'vitest'
import { anEvent } from '../../test/contract/datex/an-event.ts'
import { boundariesOf, lifetimeOf, phaseAt, startOf } from './lifetime.ts'

const at = (time: string) => Date.parse(`2026-06-01T${time}:00Z`)
const date = (time: string) => new Date(at(time))

const lasting = { shortLived: false }

/** Returns the phases of an event at several times of 1 June 2026. */
function phases(differences: object, times: readonly string[], shortLived = false) {
  const told = { recorded: date('00:00'), firstRecorded: date('00:00'), ...differences }
  const lifetime = lifetimeOf(anEvent(told), { shortLived }) ?? []
  return times.map((time) => phaseAt(lifetime, at(time)))
}

describe('lifetimeOf', () => {
  it('changes from planned to active to ended, and stays ended for 60 minutes', () => {
    const times = ['09:59', '10:00', '11:59', '12:00', '12:59', '13:00']
    expect(phases({ start: date('10:00'), end: date('12:00') }, times)).toEqual([
      'planned',
      'active',
      'active',
      'ended',
      'ended',
      'gone',
    ])
  })

  it('stays active without an end, but expires after 24 hours if short-lived', () => {
    const yesterday = { start: new Date(at('12:00') - 24 * 3_600_000), end: null }
    expect(phases(yesterday, ['11:59', '12:00'])).toEqual(['active', 'active'])
    expect(phases(yesterday, ['11:59', '12:00'], true)).toEqual(['active', 'gone'])
  })

  it('stays cancelled for 60 minutes after its cancellation is recorded, in any period', () => {
    const cancelled = { start: date('20:00'), end: null, cancelled: true, recorded: date('10:00') }
    expect(phases(cancelled, ['10:00', '10:59', '11:00', '21:00'])).toEqual([
      'cancelled',
      'cancelled',
      'gone',
      'gone',
    ])
  })

  it('stays ended for 60 minutes after an end is recorded late', () => {
    const late = { start: date('01:00'), end: date('02:00'), recorded: date('10:00'), version: 2 }
    expect(phases(late, ['10:30', '11:00'])).toEqual(['ended', 'gone'])
    expect(phases({ ...late, version: 1 }, ['10:30'])).toEqual(['gone'])
  })

  it('starts when it was first recorded if its start is missing', () => {
    const event = anEvent({ start: null, firstRecorded: date('03:00'), recorded: date('05:00') })
    expect(startOf(event)).toEqual(date('03:00'))
  })

  it('starts at its end if that was before it was first recorded', () => {
    const late = { start: null, end: date('02:00'), firstRecorded: date('03:00') }
    expect(startOf(anEvent(late))).toEqual(date('02:00'))
    expect(startOf(anEvent({ ...late, end: date('04:00') }))).toEqual(date('03:00'))
    expect(phases(late, ['01:59', '02:30', '03:00'])).toEqual(['planned', 'ended', 'gone'])
  })

  it('is never active if it ends before it starts', () => {
    const reversed = { start: date('12:00'), end: date('10:00') }
    expect(phases(reversed, ['09:00', '10:30', '12:30'])).toEqual(['planned', 'ended', 'gone'])
  })

  it('has no lifetime without a valid time', () => {
    const never = new Date(Number.NaN)
    const times = { start: null, recorded: never, firstRecorded: never }
    expect(lifetimeOf(anEvent(times), lasting)).toBeUndefined()
    expect(lifetimeOf(anEvent({ recorded: new Date(8.64e15) }), lasting)).toBeUndefined()
  })

  it('changes only at its boundaries', () => {
    const lifetime =
      lifetimeOf(anEvent({ start: date('10:00'), end: date('12:00') }), lasting) ?? []
    expect(boundariesOf(lifetime)).toEqual([at('10:00'), at('12:00'), at('13:00')])
  })
})
