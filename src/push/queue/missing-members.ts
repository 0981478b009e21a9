import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Rejection } from '../rejection.ts'

/** So many messages in a row must have had a member before one without it is odd. */
const usual = 10

/** After so many without it, a stream has other members than before. */
const forgotten = 1000

/** Notes which members a message of a stream has, and warns of those that its messages used to have. */
export async function warnOfMissing(
  tx: Transaction,
  stream: string,
  members: readonly string[],
): Promise<readonly Rejection[]> {
  if (members.length === 0) return []
  const missing = await tx.query<{ member: string; present: number }>(sql`
    with seen as (
      select unnest(${members}::text[]) as member
    ), added as (
      insert into expected_member (stream, member, present, missing)
      select ${stream}, member, 1, 0 from seen order by member
      on conflict (stream, member) do update set
        present = least(expected_member.present + 1, 1000000), missing = 0
    ), gone as (
      update expected_member set
        present = case when present >= ${usual} and missing < ${forgotten} then present else 0 end,
        missing = missing + 1
      where stream = ${stream} and present > 0 and not member = any(${members}::text[])
      returning member, present
    )
    select member, present from gone where present > 0 order by member`)
  return missing.map(({ member, present }) => ({
    index: null,
    reason: `no item has a value of ${member}, which the last ${String(present)} messages with it had: did the provider rename something?`,
  }))
}
