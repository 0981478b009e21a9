import { AppError } from '../../errors/index.ts'
import type { Profile } from './seed.ts'

/** More than any dataset has. */
export const everything = Number.MAX_SAFE_INTEGER

const largestPage = 1000

type Sizing = { readonly isStrict: boolean; readonly profile: Profile }

/**
 * How many items a page has (decision D21): above 1000 are clamped to 1000; in the compatible profile
 * they are honoured, and 0 and -1 mean everything.
 * @throws AppError HUB-QRY-003 for what would be clamped under strict handling (decision D3)
 */
export function toPageSize(wanted: number, { isStrict, profile }: Sizing): number {
  if (profile === 'compatible') return wanted <= 0 ? everything : wanted
  if (wanted <= largestPage) return wanted
  if (!isStrict) return largestPage
  throw new AppError('HUB-QRY-003', `pagesize ${String(wanted)} would be clamped to 1000.`, {
    issues: [{ parameter: 'pagesize', detail: 'is above the maximum', expected: ['1 to 1000'] }],
  })
}
