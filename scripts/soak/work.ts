import { randomUUID } from 'node:crypto'
import type { Ask } from './client.ts'

/** The data of a soak and the requests for them. */

const houses = 1000
export const stations = 100

const json = { 'content-type': 'application/json' }

/** Returns the messages to push before any request is sent. */
export function startData(now: Date): readonly object[] {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
  return [
    {
      ...{ kind: 'content', entity: 'Accommodation' },
      items: numbers(houses).map((at) => ({
        Id: `H${String(at)}`,
        Shortname: `House ${String(at)}`,
        AccoDetail: {
          de: { Name: `Haus ${String(at)}`, Longdesc: 'Ein Haus am Hang. '.repeat(40) },
        },
        GpsInfo: [{ Gpstype: 'position', Longitude: 11 + at / houses, Latitude: 46.5 }],
      })),
    },
    { kind: 'dataTypes', items: [{ name: 'free' }] },
    {
      ...{ kind: 'stations', stationType: 'Soak', origin: 'SOAK' },
      items: numbers(stations).map((at) => ({
        ...{ code: `s${String(at)}`, name: `Station ${String(at)}` },
        coordinate: [11 + at / stations, 46.5],
      })),
    },
    measurements(now),
    {
      ...{ kind: 'events', origin: 'SOAK' },
      items: numbers(50).map((at) => ({
        ...{ uuid: randomUUID(), name: `Works ${String(at)}`, category: 'road-work' },
        ...{ tags: ['traffic-event:road-work'], start: now.toISOString(), end: null },
        geometry: { type: 'Point', coordinates: [11.3, 46.5] },
      })),
    },
  ]
}

export function measurements(now: Date): object {
  const items = Array.from({ length: stations }, (_, at) => {
    const value = (now.getTime() / 1000 + at) % 100
    return [`s${String(at)}`, 'free', now.toISOString(), Math.round(value)]
  })
  return { kind: 'measurements', stationType: 'Soak', period: 60, items }
}

/** Creates a push with its own idempotency key, so that it can be retried. */
export function toPush(message: object, token: string): Ask {
  const headers = { ...json, 'idempotency-key': randomUUID() }
  const body = JSON.stringify(message)
  return { service: 'push', path: '/push/demo/soak', method: 'POST', headers, body, token }
}

type Makes = (turn: number) => Ask

/** Requests of all services, sent in turn. */
const mix: readonly Makes[] = [
  (turn) => ({ service: 'content item', path: `/v1/Accommodation/H${String(turn % houses)}` }),
  (turn) => ({
    service: 'content list',
    path: `/v1/Accommodation?pagenumber=${String(1 + (turn % 50))}`,
  }),
  () => ({ service: 'stations', path: '/v2/flat/Soak?limit=20' }),
  (turn) => ({
    service: 'content item',
    path: `/v1/Accommodation/H${String((turn * 7) % houses)}`,
  }),
  () => ({ service: 'latest', path: '/v2/flat/Soak/free/latest?limit=50' }),
  (turn) => ({
    service: 'search',
    path: `/v1/Accommodation?searchfilter=Haus%20${String(turn % 40)}`,
  }),
  () => ({ service: 'traffic feed', path: '/traffic/v1/situation-publication/soak' }),
]

/** Returns the query for a turn. Every fifth query carries a token. */
export function readOf(turn: number, token: string): Ask {
  const ask = mix[turn % mix.length]?.(turn) ?? { service: 'health', path: '/health' }
  return turn % 5 === 0 ? { ...ask, token } : ask
}

/** A page of all records, uncompressed and read slowly. */
export const slowRead: Ask = {
  service: 'slow reader',
  path: '/v1/Accommodation?pagesize=1000',
  headers: { 'accept-encoding': 'identity' },
  bytesPerSecond: 300_000,
}
