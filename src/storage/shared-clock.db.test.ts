import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import { sharedClock } from './to-database.ts'

const hour = 3_600_000

describeWithDatabase('the clock that nodes share', (database) => {
  const nodeWith = async (skew: number) => {
    let wrong = skew
    let compareAgain = (): unknown => undefined
    const machine = () => new Date(new Date().getTime() + wrong)
    const every = (_milliseconds: number, work: () => unknown) => {
      compareAgain = work
      return () => undefined
    }
    const now = await sharedClock({ database: database(), now: machine, every, machine })
    const jump = (by: number) => {
      wrong += by
      compareAgain()
    }
    return { now, jump }
  }
  const aheadOfDatabase = async (now: () => Date) => {
    const before = now().getTime()
    const [row] = await database().query<{ at: Date }>(sql`select clock_timestamp() as at`)
    const at = row?.at.getTime() ?? 0
    return Math.max(before - at, at - now().getTime())
  }

  it('is that of the database, however wrong their own clocks are', async () => {
    for (const skew of [0, hour, -hour]) {
      const { now } = await nodeWith(skew)
      expect(await aheadOfDatabase(now)).toBeLessThan(500)
    }
  })

  it('is compared again after the clock of a node was corrected', async () => {
    const { now, jump } = await nodeWith(hour)
    jump(-hour)
    await expect.poll(() => aheadOfDatabase(now)).toBeLessThan(500)
  })
})
