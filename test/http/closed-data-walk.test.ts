import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { storeClosed, storeClosedMembers, storeKnown } from '../fixtures/closed-data/fill.ts'
import { hiddenFrom } from '../fixtures/closed-data/marks.ts'
import { differences, findText, see, walkHub } from '../fixtures/closed-data/walk.ts'
import type { Headers, Seen, Walk } from '../fixtures/closed-data/walk.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

type Caller = {
  readonly name: string
  readonly headers: () => Promise<Headers>
  /** Text that the caller must never see. */
  readonly hidden: RegExp
  /** Whether the caller also tries parameters and formats. */
  readonly thorough: boolean
}

type Walks = ReadonlyMap<string, Walk>

const { strangers, bearers, partners } = hiddenFrom
const nothing = /(?!)/

const nothingOpen = ['HUB_ROLE_PREMIUM', 'Event_Update', 'BDP_', 'BDP_OTHER', 'PARTNER']

const callers: readonly Caller[] = [
  { name: 'nobody', headers: () => Promise.resolve({}), hidden: strangers, thorough: true },
  caller('an expired token', strangers, () => bearer(['ADMIN'], -600)),
  caller('roles that open nothing', bearers, () => bearer(nothingOpen)),
  { ...caller('BDP_PARTNER', partners, () => bearer(['BDP_PARTNER'])), thorough: true },
]

/** Reports whether a caller must not see closed fields either; all other callers may. */
const isStranger = ({ hidden }: Caller) => hidden === strangers

/** Callers who see everything. */
const trusted: readonly Caller[] = [
  { ...caller('ADMIN', nothing, () => bearer(['ADMIN'])), thorough: true },
  caller('BDP_VIEW_CLOSED_DATA', nothing, () => bearer(['BDP_VIEW_CLOSED_DATA'])),
]

function caller(name: string, hidden: RegExp, headers: Caller['headers']): Caller {
  return { name, hidden, headers, thorough: false }
}

describeOnEngines('A walk through every route, format and parameter', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  const headers = new Map<string, Headers>()
  let before: Walks = new Map()
  let after: Walks = new Map()

  const walkAs = async (walking: readonly Caller[]) => {
    const walks = new Map<string, Walk>()
    for (const { name, thorough } of walking) {
      walks.set(name, await walkHub(hub, headersOf(name), ({ probes }) => thorough || !probes))
    }
    return walks
  }
  const headersOf = (name: string): Headers => headers.get(name) ?? {}
  const walkOf = (walks: Walks, name: string): Walk => walks.get(name) ?? new Map()

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await openComposedHub(clone.settings)
    for (const { name, headers: make } of [...callers, ...trusted]) headers.set(name, await make())
    await storeKnown(hub)
    const began = hub.now()
    hub.tick(5000)
    await vi.waitFor(() => assertWelcome(hub), 60_000)
    const ofStrangers = await walkAs(callers.filter(isStranger))
    await storeClosedMembers(hub, began)
    const ofOthers = await walkAs(callers.filter((one) => !isStranger(one)))
    before = new Map([...ofStrangers, ...ofOthers])
    hub.moveClock(60_000)
    await storeClosed(hub)
    // Some responses state how long ago something happened, so the second walk uses the same time
    // as the first.
    hub.moveClock(-60_000)
    after = await walkAs([...callers, ...trusted])
  }, 600_000)
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  it('reaches all areas, and shows their closed data to callers who may see it', () => {
    for (const { name, thorough } of trusted) {
      const shown = findText(walkOf(after, name), strangers)
      const routes = new Set(shown.map((ask) => walkOf(after, name).get(ask)?.ask.route))
      const wanted = thorough ? [...showClosedData, ...showWhatIsAskedFor] : showClosedData
      expect([...routes]).toEqual(expect.arrayContaining([...wanted]))
    }
  })

  it('receives no server error, which would hide the content of a response', () => {
    const faults = [...after.values()].flatMap((walk) =>
      [...walk].filter(([, { status }]) => status >= 500).map(([ask]) => ask),
    )
    expect(faults).toEqual([])
  })

  it('shows partners their closed data, and anonymous callers data that is open to guests', () => {
    const seen = findText(walkOf(after, 'BDP_PARTNER'), /dunnart/i)
    expect(seen.length).toBeGreaterThan(50)
    expect(findText(walkOf(after, 'BDP_PARTNER'), /43219001/)).not.toEqual([])
    expect(findText(walkOf(after, 'nobody'), /55555/)).not.toEqual([])
  })

  describe.each(callers)('as $name', ({ name, hidden }) => {
    it('finds no closed value anywhere', () => {
      for (const walks of [before, after]) {
        expect(findText(walkOf(walks, name), hidden)).toEqual([])
      }
    })

    it('receives the same content, counts, order and headers with or without closed data', () => {
      expect(walkOf(after, name).size).toBeGreaterThan(100)
      expect(differences(walkOf(before, name), walkOf(after, name))).toEqual([])
    })

    it('receives a notice wherever others see more', () => {
      const more = walkOf(after, 'ADMIN')
      const silent = [...walkOf(after, name)].filter(
        ([ask, seen]) => showsLess(seen, more.get(ask)) && !isHonest(seen),
      )
      expect(silent.map(([ask]) => ask)).toEqual([])
    })

    it('receives no 304 for a response to a caller who sees everything', async () => {
      const wrong: string[] = []
      for (const [ask, { etag, body }] of walkOf(after, 'ADMIN')) {
        const seen = walkOf(after, name).get(ask)
        if (etag === undefined || seen === undefined || seen.body === body) continue
        if (seen.etag === etag) wrong.push(ask)
        if (seen.ask.probes) continue
        const held = { ...headersOf(name), 'if-none-match': etag }
        const { status } = await see(hub, seen.ask, held)
        if (status === 304) wrong.push(ask)
      }
      expect(wrong).toEqual([])
    })
  })

  it('finds no closed value in the metrics', async () => {
    const { body } = await hub.ask({ url: '/metrics' })
    expect(body).toContain('/v1/Event/:id')
    // Durations may contain any digits, so only names and labels are checked.
    const labels = body.replace(/ [-+.\de]+$/gim, '')
    expect(strangers.exec(labels)).toBeNull()
  })
})

/** Routes on which the walk must have found closed data; otherwise it would prove nothing. */
const showClosedData = [
  'GET /v1/Event',
  'GET /v1/Event/{id}',
  'GET /v1/Accommodation',
  'GET /v1/Accommodation/{id}',
  'GET /v1/AccommodationRoom',
  'GET /v1/Tag/{id}',
  'GET /v2/{representation}',
  'GET /v2/{representation}/{stationTypes}',
  'GET /v2/{representation}/{stationTypes}/{dataTypes}',
  'GET /v2/{representation}/{stationTypes}/{dataTypes}/{from}',
  'GET /v2/{representation}/{stationTypes}/{dataTypes}/{from}/{to}',
]

/** Routes that return data only with parameters, which only thorough callers try. */
const showWhatIsAskedFor = ['GET /v1/Distinct', 'GET /v1/Find', 'GET /v1/Filter']

/** Asserts that the rules are in force, by what they open to everybody. */
async function assertWelcome(hub: ComposedHub): Promise<void> {
  expect((await hub.ask({ url: '/v2/flat/Welcome/*/latest' })).body).toContain('55555')
}

/**
 * Routes whose responses describe the caller and subject. They differ for everybody without showing
 * more.
 */
const aboutTheCaller = ['GET /quota', 'GET /rights']

function showsLess(seen: Seen, more: Seen | undefined): boolean {
  if (seen.ask.method !== 'GET' || aboutTheCaller.includes(seen.ask.route)) return false
  return more?.body !== seen.body || more.status !== seen.status
}

/**
 * Reports whether a response states that data is withheld. A 401 or 403 must name the
 * authentication that is needed instead.
 */
function isHonest({ status, headers }: Seen): boolean {
  if (status === 401 || status === 403) return 'www-authenticate' in headers
  return 'x-withheld' in headers
}
