import { InvalidArgumentError, Option } from 'commander'
import { retirements } from '../../timeseries/index.ts'
import type { Month } from '../../timeseries/index.ts'

/** A month for which there can be a partition. */
export function parseMonth(text: string): Month {
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('It is a month from 2000-01 to 2099-12, such as 2026-11.')
}

export function parseMonths(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= 1200) return Number(text)
  throw new InvalidArgumentError('It is a whole number of months up to 1200; 0: for ever.')
}

/** What becomes of old months, for once otherwise than the settings say. */
export function retirementOption(): Option {
  return new Option(
    '--how <what>',
    'leave old tables beside, move them into measurement_archive, or drop them; default: HUB_MEASUREMENT_RETIREMENT',
  ).choices(retirements)
}
