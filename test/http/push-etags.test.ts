import { expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'

const time = '2026-11-20T10:15:00Z'

const content = (entity: string, members: object) => ({ kind: 'content', entity, ...members })
const stations = (stationType: string, name: string) => ({
  kind: 'stations',
  stationType,
  items: [{ code: 'a', name }],
})
const values = (stationType: string, value: number) => ({
  kind: 'measurements',
  stationType,
  period: 60,
  items: [['a', 'free', time, value]],
})
const edges = (edgeType: string, directed: boolean) => ({
  kind: 'edges',
  edgeType,
  items: [{ code: 'e', from: { type: 'Left', code: 'a' }, directed }],
})
const events = (origin: string, name: string) => ({
  kind: 'events',
  origin,
  items: [{ uuid: `${origin}1`, name }],
})

const addresses = {
  tags: '/v1/Tag',
  venues: '/v1/Venue?pagesize=5',
  left: '/v2/flat,node/Left',
  right: '/v2/tree,node/Right',
  leftLatest: '/v2/flat,node/Left/*/latest',
  rightLatest: '/v2/flat,node/Right/free/latest',
  rightHistory: '/v2/flat,node/Right/free/2026-11-20/2026-11-21',
  roads: '/v2/flat,edge/Road',
  paths: '/v2/flat,edge/Path',
  north: '/v2/flat,event/NORTH',
  south: '/v2/tree,event/SOUTH/latest',
} as const

type Name = keyof typeof addresses

/** Messages to push, each with the only responses that change as a result. */
const pushes: readonly (readonly [what: string, message: object, changed: readonly Name[]])[] = [
  ['a record', content('Tag', { items: [{ Id: 'new' }] }), ['tags']],
  ['a deletion', content('Venue', { delete: ['v'] }), ['venues']],
  ['a deletion of nothing', content('Venue', { delete: ['nothing'] }), []],
  ['no item', content('Tag', { items: [] }), []],
  ['a bad item', content('Tag', { items: [{ Id: '' }] }), []],
  ['a station', stations('Right', 'B'), ['right', 'rightLatest', 'rightHistory']],
  ['the same station again', stations('Right', 'B'), []],
  ['a station with an edge', stations('Left', 'B'), ['left', 'leftLatest', 'roads', 'paths']],
  ['a value', values('Right', 2), ['rightLatest', 'rightHistory']],
  ['an edge', edges('Road', false), ['roads']],
  ['an event', events('NORTH', 'B'), ['north']],
  ['the same event again', events('NORTH', 'B'), []],
]

describeWithDatabase('a push', (database) => {
  const hub = usePushingHub(database)

  const readEtags = async () => {
    const etags = new Map<string, unknown>()
    for (const [name, url] of Object.entries(addresses)) etags.set(name, await hub.etag(url))
    return etags
  }

  it('changes the ETags of the responses that it affects, and no others', async () => {
    const receipt = await hub.push([
      content('Venue', { items: [{ Id: 'v' }] }),
      { kind: 'dataTypes', items: [{ name: 'free' }] },
      ...['Left', 'Right'].flatMap((type) => [stations(type, 'A'), values(type, 1)]),
      ...['Road', 'Path'].map((type) => edges(type, true)),
      ...['NORTH', 'SOUTH'].map((origin) => events(origin, 'A')),
    ])
    expect(receipt.rejected).toEqual([])
    let before = await readEtags()
    for (const [what, message, changed] of pushes) {
      await hub.push([message])
      const after = await readEtags()
      const others = [...after.keys()].filter((name) => after.get(name) !== before.get(name))
      expect([what, others]).toEqual([what, changed])
      before = after
    }
  })
})
