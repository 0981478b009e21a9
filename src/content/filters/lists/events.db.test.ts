import { expect, it } from 'vitest'
import { openContent, storeContent } from '../../../../test/fixtures/content-app.ts'
import { describeWithDatabase } from '../../../../test/fixtures/databases.ts'

const date = (From: string, To = From) => ({ From, To, Begin: '10:00:00', End: '12:00:00' })

const late = {
  Id: 'LATE',
  EventDate: [{ ...date('2027-03-10'), Begin: '20:00:00', End: '2:00:00' }],
}

/** Both begin at the same time next. */
const long = { Id: 'A-LONG', EventDate: [date('2027-03-10', '2027-03-14')] }
const days = { Id: 'B-DAYS', EventDate: [date('2027-03-10'), date('2027-06-01')] }

describeWithDatabase('the order of upcoming events', (database) => {
  it.each([
    ['upcoming', ['A-LONG', 'B-DAYS']],
    ['upcomingspecial', ['B-DAYS', 'A-LONG']],
    ['upcomingspecialdesc', ['B-DAYS', 'A-LONG']],
  ])('with single days and consecutive days is that of %s, across pages', async (sort, wanted) => {
    await storeContent(database(), 'Event', [long, days])
    const app = await openContent(database())
    const url = `/v1/Event?begindate=2027-03-05&sort=${sort}`
    const [all, first] = [await app.inject(url), await app.inject(`${url}&pagesize=1`)]
    expect(all.json().Items.map(({ Id }: { readonly Id: string }) => Id)).toEqual(wanted)
    const [, next = ''] =
      /<https?:\/\/[^/]*([^>]*)>; rel="next"/.exec(String(first.headers['link'])) ?? []
    expect((await app.inject(next)).json().Items).toMatchObject([{ Id: wanted[1] }])
    await app.close()
  })
})

/** Both begin at midnight. */
const week = { Id: 'A-WEEK', EventDate: [{ From: '2027-03-10', To: '2027-03-12' }] }
const row = { Id: 'B-ROW', EventDate: [{ From: '2027-03-10' }, { From: '2027-03-11' }] }

describeWithDatabase('the order of events on whole days', (database) => {
  it.each([
    ['upcoming', ['A-WEEK', 'B-ROW']],
    ['upcomingspecial', ['B-ROW', 'A-WEEK']],
  ])('distinguishes by %s days that follow each other from one span', async (sort, wanted) => {
    await storeContent(database(), 'Event', [week, row])
    const app = await openContent(database())
    const url = `/v1/Event?begindate=2027-03-05&sort=${sort}&getasidarray=true`
    expect((await app.inject(url)).json()).toEqual(wanted)
    await app.close()
  })
})

describeWithDatabase('an event until after midnight', (database) => {
  it.each([
    ['begindate=2027-03-11 01:59', ['2027-03-11T02:00:00']],
    ['begindate=2027-03-11&enddate=2027-03-11', ['2027-03-11T02:00:00']],
    ['begindate=2027-03-11 02:00', []],
    ['enddate=2027-03-10 19:59', []],
  ])('is found until its end: %s', async (query, wanted) => {
    await storeContent(database(), 'Event', [late])
    const app = await openContent(database())
    const answer = await app.inject(`/v1/Event?${query}&denormalize=true&fields=Id,DateEnd`)
    expect(answer.json().Items).toEqual(wanted.map((DateEnd) => ({ Id: 'LATE', DateEnd })))
    expect(answer.json().TotalResults).toBe(wanted.length)
    await app.close()
  })
})

describeWithDatabase('an event whose end is its begin, written without seconds', (database) => {
  it('is a moment', async () => {
    const EventDate = [{ From: '2027-03-10T00:00:00', Begin: '20:00:00', End: '20:00' }]
    await storeContent(database(), 'Event', [{ ...late, EventDate }])
    const app = await openContent(database())
    const answer = await app.inject('/v1/Event?denormalize=true&fields=DateEnd')
    expect(answer.json().Items).toMatchObject([{ DateEnd: '2027-03-10T20:00:00' }])
    await app.close()
  })
})

describeWithDatabase('eventlocation', (database) => {
  it('finds short events whatever the letter case of their place', async () => {
    const events = [
      { Id: 'A', EventLocation: 'NOI' },
      { Id: 'B', EventLocation: 'noi' },
      { Id: 'C', EventLocation: 'EC' },
    ]
    await storeContent(database(), 'EventShort', events)
    const app = await openContent(database())
    const answer = await app.inject('/v1/EventShort?eventlocation=Noi&getasidarray=true')
    expect(answer.json().sort()).toEqual(['a', 'b'])
    await app.close()
  })
})
