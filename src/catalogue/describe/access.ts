import type { DatasetAccess } from '../dataset.ts'

type Counts = {
  /** What everybody may read. */
  readonly open: number
  /** Closed data that the caller sees. */
  readonly closed: number
  /** Of that, what rules for guests open to everybody. */
  readonly guest: number
}

/** Who may read what the caller sees. Of what the caller does not see it says nothing. */
export function accessOf({ open, closed, guest }: Counts): DatasetAccess {
  if (closed <= guest) return 'open'
  return open + guest === 0 ? 'closed' : 'partly'
}
