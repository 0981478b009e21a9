import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { addGrant, ownOnly } from '../access/index.ts'
import type { PushScope } from '../access/index.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'
import { canonicalKinds, canonicalPipeline } from './canonical/pipeline.ts'
import { storeBody } from './pipeline.ts'
import { tryOut } from './try-out.ts'

const pipelines = [canonicalPipeline(canonicalKinds(entitiesOf(toNaming('Hub'))))]
let moment = Date.UTC(2026, 10, 20)

type Sender = { readonly stream: string; readonly scope?: PushScope; readonly mayBackdate?: true }

/** Pushes objects. Returns the reasons of rejections and warnings, with their pointers. */
async function push(database: Database, sender: Sender, ...objects: readonly object[]) {
  moment += 1000
  const body = Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n'))
  const origin = { mayBackdate: false, ...sender, received: new Date(moment), body }
  const outcome = await database.transaction((tx) => storeBody(tx, pipelines, origin))
  const told = [...outcome.rejected, ...(outcome.warnings ?? [])]
  return told.map(({ pointer, reason }) => `${pointer ?? ''} ${reason}`)
}

const own = { stream: 'acme/data' }
const other = { stream: 'rival/data' }
const admin = { stream: 'operator/data', mayBackdate: true } as const
const scoped = (part: Partial<PushScope>) => ({ ...own, scope: { ...ownOnly, ...part } })

const stations = (code: string, more: object = {}) => ({
  ...{ kind: 'stations', stationType: 'Parking', ...more },
  items: [{ code }],
})
const edges = (code: string, more: object = {}) => ({
  ...{ kind: 'edges', edgeType: 'Link', ...more },
  items: [{ code }],
})
const events = (uuid: string, more: object = {}) => ({
  ...{ kind: 'events', origin: 'acme', ...more },
  items: [{ uuid }],
})
const nextState = (series: string, isClosed?: true) => ({
  ...{ kind: 'events', origin: 'acme', closed: isClosed },
  items: [{ uuid: `${series}-next`, series }],
})
const values = (code: string) => ({
  ...{ kind: 'measurements', stationType: 'Parking', period: 60 },
  items: [[code, 'free', '2026-11-20T10:00:00Z', 1]],
})
const types = (name: string) => ({ kind: 'dataTypes', items: [{ name }] })
const tags = (Id: string, more: object = {}) => ({
  kind: 'content',
  entity: 'Tag',
  items: [{ Id, ...more }],
})
const gone = (id: string) => ({ kind: 'content', entity: 'Tag', delete: [id] })
const houses = (Id: string, more: object = {}) => ({
  kind: 'content',
  entity: 'Accommodation',
  items: [{ Id, ...more }],
})
const rooms = (accommodation: string) => ({
  kind: 'availability',
  items: [{ accommodation, room: 'r', type: 1, maxGuests: 2, stdGuests: 2 }],
})
const shut = { LicenseInfo: { ClosedData: true } }

describeWithDatabase('A push permission without a scope', (database) => {
  beforeAll(async () => {
    const prepared = await push(
      database(),
      other,
      ...[types('free'), stations('foreign', { origin: 'RIVAL' }), edges('foreign')],
      ...[events('foreign', { origin: 'PROVINCE_BZ' }), tags('foreign'), houses('FOREIGN')],
      ...[rooms('FOREIGN'), tags('foreign-gone'), gone('foreign-gone')],
    )
    expect(prepared).toEqual([])
    await push(
      database(),
      own,
      ...[types('own'), stations('own'), stations('own-closed', { closed: true }), edges('own')],
      ...[events('own'), events('own-closed', { closed: true }), tags('own'), houses('OWN')],
      ...[tags('own-closed', shut), rooms('OWN'), tags('own-gone'), gone('own-gone')],
    )
  })

  const foreign = expect.stringMatching(/belongs to others/)
  const closed = expect.stringMatching(/is closed/)

  it.each([
    ['stations', 'own', stations('own')],
    ['stations', 'new', stations('new')],
    ['stations', 'foreign', stations('foreign'), foreign],
    ['stations', 'own, closed and left closed', stations('own-closed')],
    ['stations', 'own, closed and opened', stations('own-closed', { closed: false }), closed],
    ['stations', 'new under a foreign origin', stations('n', { origin: 'RIVAL' }), foreign],
    ['edges', 'own', edges('own')],
    ['edges', 'foreign', edges('foreign'), foreign],
    ['measurements', 'own', values('own')],
    ['measurements', 'own, closed', values('own-closed')],
    ['measurements', 'foreign', values('foreign'), foreign],
    ['data types', 'own', types('own')],
    ['data types', 'foreign', types('free'), foreign],
    ['events', 'own', events('own')],
    ['events', 'own, closed and left closed', events('own-closed', { closed: true })],
    ['events', 'own, closed and opened', events('own-closed'), closed],
    ['events', 'own, closed and opened by a new state', nextState('own-closed'), closed],
    ['events', 'own, closed, with a new closed state', nextState('own-closed', true)],
    ['events', 'foreign', events('foreign', { origin: 'PROVINCE_BZ' }), foreign],
    ['events', 'new under a foreign origin', events('n', { origin: 'PROVINCE_BZ' }), foreign],
    ['content', 'own', tags('own')],
    ['content', 'own, deleted', tags('own-gone')],
    ['content', 'own, closed and left closed', tags('own-closed', shut)],
    ['content', 'own, closed and opened', tags('own-closed'), closed],
    ['content', 'foreign', tags('foreign'), foreign],
    ['content', 'foreign, deleted', tags('foreign-gone'), foreign],
    ['content', 'new under a foreign source', tags('n', { Source: 'rival' }), foreign],
    ['deletions', 'foreign', gone('foreign'), foreign],
    ['deletions', 'unknown', gone('nobody')],
    ['availability', 'own', rooms('OWN')],
    ['availability', 'foreign', rooms('FOREIGN'), foreign],
  ])('allows or refuses %s: %s', async (_kind, _whose, object, ...refusals) => {
    expect(await push(database(), own, object)).toEqual(refusals)
  })

  it('does not allow a closed record to be opened by deleting it first', async () => {
    await push(database(), own, tags('reopened', shut))
    expect(await push(database(), own, gone('reopened'), tags('reopened'))).toEqual([closed])
    expect(await push(database(), own, tags('reopened', shut))).toEqual([])
  })

  it('leaves refused records unchanged', async () => {
    const [station] = await database().texts(sql`
      select closed::text from station where code = 'own-closed'`)
    const [tag] = await database().texts(sql`
      select count(*)::text from content.tag where id = 'foreign'`)
    expect([station, tag]).toEqual([['true'], ['1']])
  })

  it('lets a complete list deactivate only stations of the same stream', async () => {
    const list = { origin: null, complete: true }
    await push(database(), other, stations('foreign-null'))
    expect(await push(database(), own, stations('own', list))).toEqual([
      expect.stringMatching(/^\/complete does not count for 1 stations/),
    ])
    const active = await database().texts(sql`
      select code, active::text from station
      where type = 'Parking' and code in ('own', 'new', 'foreign-null') order by 1`)
    expect(active).toEqual([
      ['foreign-null', 'true'],
      ['new', 'false'],
      ['own', 'true'],
    ])
  })

  it('does not deactivate a station that was sent but refused', async () => {
    const list = { origin: null, complete: true, closed: false }
    const active = { ...stations('own-closed'), items: [{ code: 'own-closed', active: true }] }
    expect(await push(database(), own, active)).toEqual([])
    const refused = await push(database(), own, stations('own-closed', list))
    expect(refused).toContainEqual(closed)
    expect(
      await database().texts(sql`select active::text from station where code = 'own-closed'`),
    ).toEqual([['true']])
  })
})

describeWithDatabase('A complete list of stations', (database) => {
  const list = { origin: null, complete: true }
  const active = () => database().texts(sql`select code from station where active order by 1`)

  it('deactivates none if an item is rejected or the list has no items', async () => {
    await push(database(), own, { ...stations('a'), items: [{ code: 'a' }, { code: 'b' }] })
    const items = [{ code: 'a' }, { code: 'b', coordinate: [11] }]
    expect(await push(database(), own, { ...stations('a', list), items })).toEqual([
      expect.stringMatching(/^\/items\/1\/coordinate/),
      expect.stringMatching(/^\/complete does not count/),
    ])
    for (const none of [{ items: [] }, { items: undefined }]) {
      expect(await push(database(), own, { ...stations('a', list), ...none })).toEqual([
        expect.stringMatching(/^\/complete requires items/),
      ])
    }
    expect(await active()).toEqual([['a'], ['b']])
    expect(await push(database(), own, stations('a', list))).toEqual([])
    expect(await active()).toEqual([['a']])
  })
})

describeWithDatabase('A push permission with a scope', (database) => {
  beforeAll(async () => {
    await push(
      database(),
      other,
      ...[stations('a', { origin: 'RIVAL' }), stations('b', { origin: 'RIVAL' }), tags('a')],
      ...[tags('b'), tags('c', shut), stations('shut', { closed: true, origin: 'RIVAL' })],
    )
  })

  const notCovered = expect.stringMatching(/is not covered by the permission to push/)

  it('covers the kinds, entities and station types that it names, and no others', async () => {
    const send = (scope: Partial<PushScope>, object: object) =>
      push(database(), scoped(scope), object)
    expect(await send({ kinds: ['stations'] }, stations('mine'))).toEqual([])
    expect(await send({ kinds: ['stations'] }, tags('mine'))).toEqual([notCovered])
    expect(await send({ entities: ['Poi'] }, tags('mine'))).toEqual([notCovered])
    expect(await send({ entities: ['Poi'] }, gone('mine'))).toEqual([notCovered])
    expect(await send({ station_types: ['Bike'] }, stations('mine'))).toEqual([notCovered])
    expect(await send({ station_types: ['Bike'] }, values('mine'))).toEqual([notCovered])
  })

  it('allows writing under the origins and sources that it names', async () => {
    const scope = scoped({ origins: ['RIVAL'], sources: ['rival'] })
    expect(await push(database(), scope, stations('a', { origin: 'RIVAL' }))).toEqual([])
    expect(await push(database(), scope, tags('a', { Source: 'rival' }))).toEqual([])
    expect(await push(database(), scope, tags('new'))).toEqual([notCovered])
  })

  it('needs separate rights to delete, complete and open data of others', async () => {
    const covers = { origins: ['RIVAL'], sources: ['rival'] }
    const complete = stations('a', { origin: 'RIVAL', complete: true })
    const open = stations('shut', { origin: 'RIVAL', closed: false })
    const all = [gone('b'), complete, open]
    expect(await push(database(), scoped(covers), ...all)).toHaveLength(3)
    const rights = { may_delete: true, may_complete: true, may_publish_closed: true }
    expect(await push(database(), scoped({ ...covers, ...rights }), ...all)).toEqual([])
  })

  it('is not needed by an ADMIN', async () => {
    const all = [tags('a'), tags('c'), gone('b'), stations('shut', { closed: false })]
    expect(await push(database(), admin, ...all)).toEqual([])
  })
})

describeWithDatabase('The scope of a client', (database) => {
  it('is that of its most specific permission for the stream', async () => {
    const grant = (pathPattern: string, kinds: readonly string[]) =>
      addGrant(database(), { client: 'acme', pathPattern }, { ...ownOnly, kinds: [...kinds] })
    await grant('/*', ['events'])
    await grant('/acme/*', ['stations'])
    await grant('/acme/tags', ['content'])
    const trial = { sender: 'acme', mayBackdate: false, contentType: null }
    const stored = async (stream: string, object: object) => {
      const body = Buffer.from(JSON.stringify(object))
      const sent = { ...trial, stream, received: new Date(moment), body }
      return (await tryOut({ database: database(), pipelines }, sent)).stored
    }
    expect(await stored('acme/tags', tags('t'))).toBe(1)
    expect(await stored('acme/tags', stations('s'))).toBe(0)
    expect(await stored('acme/data', stations('s'))).toBe(1)
    expect(await stored('acme/data', tags('t'))).toBe(0)
    expect(await stored('others/data', stations('s'))).toBe(0)
  })
})

describeWithDatabase('Ownership of pushed data', (database) => {
  const third = { stream: 'third/data' }
  const foreign = expect.stringMatching(/belongs to others/)
  const place = (code: string, coordinate: readonly number[]) => ({
    ...{ kind: 'stations', stationType: 'Parking', origin: `PLACE_${code}` },
    items: [{ code, coordinate }],
  })

  it('is not granted to the sender of a refused item', async () => {
    await push(database(), other, stations('first', { origin: 'RIVAL' }))
    expect(await push(database(), own, stations('next', { origin: 'RIVAL' }))).toEqual([foreign])
    expect(await push(database(), other, stations('next', { origin: 'RIVAL' }))).toEqual([])
  })

  it('does not extend to an origin that the scope does not name', async () => {
    const scope = scoped({ origins: ['MINE'] })
    expect(await push(database(), scope, stations('n', { origin: 'FREE' }))).toHaveLength(1)
    expect(await push(database(), other, stations('n', { origin: 'FREE' }))).toEqual([])
  })

  it('covers neither the identifier nor the origin of an item that cannot be stored', async () => {
    expect(await push(database(), own, place('bad', [181, 46]))).toHaveLength(1)
    expect(await push(database(), other, place('bad', [11, 46]))).toEqual([])
    expect(await push(database(), own, place('bad', [11, 46]))).toEqual([foreign])
  })

  it('remains if a duplicate in the same message is refused', async () => {
    const twice = { ...stations('twice'), items: [{ code: 'twice' }, { code: 'twice' }] }
    expect(await push(database(), own, twice)).toHaveLength(1)
    expect(await push(database(), other, stations('twice'))).toEqual([foreign])
  })

  it('is granted to only one of several streams that send an item at the same time', async () => {
    const senders = [own, other, third]
    const outcomes = await Promise.all(
      senders.map((sender) => push(database(), sender, stations('race', { origin: 'RACE' }))),
    )
    expect(outcomes.toSorted((one, two) => one.length - two.length)).toEqual([
      [],
      [foreign],
      [foreign],
    ])
  })

  it('prevents others from using an origin with the same URL', async () => {
    expect(await push(database(), own, events('org', { origin: 'LP_ORG' }))).toEqual([])
    const taken = await push(database(), other, events('org-2', { origin: 'lp-org' }))
    expect(taken).toEqual([
      expect.stringMatching(/"lp-org".*same URL as "LP_ORG", which belongs to others/),
    ])
    const named = { ...other, scope: { ...ownOnly, origins: ['lp-org'] } }
    expect(await push(database(), named, stations('org', { origin: 'lp-org' }))).toEqual([
      expect.stringMatching(/same URL/),
    ])
    expect(await push(database(), own, events('org-3', { origin: 'lp-org' }))).toEqual([])
  })

  it('cannot be claimed for an origin with the same URL as data without an owner', async () => {
    await push(database(), own, stations('legacy', { origin: 'OLD_DATA' }))
    await database().execute(sql`delete from push_owner where id = 'OLD_DATA'`)
    expect(await push(database(), other, events('legacy', { origin: 'old-data' }))).toEqual([
      expect.stringMatching(/same URL/),
    ])
  })

  it('covers new states in a series', async () => {
    const state = (uuid: string) => ({
      ...{ kind: 'events', origin: 'acme' },
      items: [{ uuid, series: 'works', cancelled: uuid !== 'w1' }],
    })
    const sibling = { stream: 'acme/others' }
    expect(await push(database(), own, state('w1'))).toEqual([])
    expect(await push(database(), sibling, state('w2'))).toEqual([foreign])
    expect(await push(database(), own, state('w2'), state('w3'))).toEqual([])
    const named = { ...sibling, scope: { ...ownOnly, origins: ['acme'] } }
    expect(await push(database(), named, state('w4'))).toEqual([])
    // As written by a node before this version: the state has an owner, and the series has none.
    await database().execute(sql`delete from push_owner where space = 'series'`)
    expect(await push(database(), sibling, state('w5'))).toEqual([foreign])
    expect(await push(database(), own, state('w5'))).toEqual([])
  })

  it('does not allow a closed station to be deleted and sent again as open', async () => {
    const deleted = { kind: 'delete', stationType: 'Parking', what: 'stations' }
    const closed = expect.stringMatching(/is closed/)
    await push(database(), own, stations('shut', { closed: true }))
    expect(await push(database(), own, { ...deleted, items: [{ code: 'shut' }] })).toEqual([])
    for (const again of [
      stations('shut'),
      stations('shut', { closed: false }),
      { ...edges('shut'), edgeType: 'Parking' },
    ]) {
      expect(await push(database(), own, again)).toEqual([closed])
    }
    expect(await push(database(), own, stations('shut', { closed: true }))).toEqual([])
  })
})
