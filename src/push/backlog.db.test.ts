import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { Backlog } from './backlog.ts'

describeWithDatabase('Free space for pushed messages', (database) => {
  it('excludes messages being stored, or stored since the disk was measured', async () => {
    const free = 2000
    const backlog = new Backlog({
      database: database(),
      now: () => new Date(),
      limit: 10,
      freeBytes: () => Promise.resolve(free),
      reserve: 1000,
    })
    await backlog.measure()
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = backlog.store(400, () => promise)
    expect(backlog.obstacle()).toBeUndefined()
    const second = backlog.store(200, () => promise)
    expect(backlog.obstacle()).toMatchObject({ code: 'HUB-SRV-006' })
    // The sender of this one started while there was room, but by now there is none.
    const third = backlog.store(1, () => Promise.resolve('stored'))
    await expect(third).rejects.toMatchObject({ code: 'HUB-SRV-006' })
    resolve('stored')
    expect([await first, await second]).toEqual(['stored', 'stored'])
    expect(backlog.obstacle()).toMatchObject({ code: 'HUB-SRV-006' })
    await backlog.measure()
    expect(backlog.obstacle()).toBeUndefined()
  })
})
