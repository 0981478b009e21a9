/** A valid message of one kind, and an invalid value for each of its members. */
export type KindCase = {
  readonly head: Readonly<Record<string, unknown>>
  readonly item: Readonly<Record<string, unknown>> | readonly unknown[]
  readonly wrongHead: Wrong
  readonly wrongItem: Wrong
}

/** Invalid value by member, with the rest of the JSON pointer if the error is nested deeper. */
type Wrong = Readonly<Record<string, readonly [value: unknown, below?: string]>>

const point = { type: 'Point', coordinates: [11.35, 46.49] }
const nowhere = { type: 'Nowhere', code: 'x' }
const recorded: Wrong = { recorded: ['2026-02-31T00:00:00Z'] }

export const kindCases: Readonly<Record<string, KindCase>> = {
  content: {
    head: { kind: 'content', entity: 'Accommodation', delete: [] },
    item: { Id: 'a' },
    wrongHead: {
      kind: ['contents'],
      entity: ['Acommodation'],
      items: [{}],
      delete: [['a', ''], '/1'],
    },
    wrongItem: { Id: [''] },
  },
  stations: {
    head: { kind: 'stations', stationType: 'Good', origin: 'X', closed: false, complete: false },
    item: { code: 'a', name: 'A', coordinate: [11, 46], srid: 4326, parent: null, metadata: {} },
    wrongHead: {
      kind: [5],
      stationType: [''],
      origin: [5],
      closed: ['no'],
      complete: [1],
      items: ['a'],
      ...recorded,
    },
    wrongItem: {
      code: ['x'.repeat(300)],
      name: [5],
      coordinate: [[11]],
      srid: [0],
      active: ['yes'],
      available: [null],
      parent: [{ type: 'Good' }, '/code'],
      metadata: [[]],
    },
  },
  dataTypes: {
    head: { kind: 'dataTypes' },
    item: { name: 'a', unit: 'm', type: 'Mean', description: null, metadata: null },
    wrongHead: { kind: ['datatypes'], items: [5], ...recorded },
    wrongItem: {
      name: [''],
      unit: [5],
      type: [{}],
      description: [['a']],
      metadata: ['a'],
    },
  },
  measurements: {
    head: { kind: 'measurements', stationType: 'Good', period: 300, provenance: null },
    item: ['a', 'a', '2026-11-20T10:15:00Z', 1],
    wrongHead: {
      kind: [null],
      stationType: [null],
      period: [1.5],
      provenance: [{ name: 'x', version: '1' }, '/lineage'],
      items: [{}],
      ...recorded,
    },
    wrongItem: {
      0: [''],
      1: [5],
      2: ['2026-11-20T10:15:00'],
      3: [null],
    },
  },
  edges: {
    head: { kind: 'edges', edgeType: 'GoodEdge', origin: null },
    item: { code: 'a', name: 'A', from: null, to: null, directed: true, geometry: null },
    wrongHead: { kind: [true], edgeType: [5], origin: [''], items: [null], ...recorded },
    wrongItem: {
      code: [5],
      name: [''],
      from: [{ code: 'a' }, '/type'],
      to: ['a'],
      directed: ['yes'],
      geometry: [{ type: 'Circle' }, '/type'],
      active: [null],
    },
  },
  events: {
    head: { kind: 'events', origin: 'X', closed: true, provenance: { name: 'a', lineage: 'b' } },
    item: { uuid: 'a', series: 'a', start: null, tags: [], geometry: point, title: { en: 'A' } },
    wrongHead: {
      kind: ['event'],
      origin: [null],
      closed: [null],
      provenance: [{ name: 'x', lineage: 'y', by: 'z' }, '/by'],
      items: [{}],
      ...recorded,
    },
    wrongItem: {
      uuid: [''],
      series: [null],
      name: [5],
      description: [5],
      category: [[]],
      tags: [['a', 5], '/1'],
      severity: [1],
      start: ['2026-11-20'],
      end: ['2026-11-31T00:00:00Z'],
      cancelled: ['no'],
      title: [{ en: 5 }, '/en'],
      text: [{ English: 'a' }, '/English'],
      geometry: [{ type: 'Point', coordinates: 5 }, '/coordinates'],
      locationDescription: [{}],
      metadata: [[1]],
      datex: ['Accident'],
    },
  },
  availability: {
    head: { kind: 'availability' },
    item: { accommodation: 'a', room: 'r', type: 1, maxGuests: 2, plans: [], nights: [] },
    wrongHead: { kind: ['Availability'], items: [5], ...recorded },
    wrongItem: {
      accommodation: [''],
      room: [5],
      type: [3],
      minGuests: [0],
      stdGuests: ['two'],
      maxGuests: [1.5],
      title: [{ 'de-AT': 'x' }, '/de-AT'],
      description: [{ de: 5 }, '/de'],
      pictures: [['javascript:x'], '/0'],
      active: ['yes'],
      plans: [[{}], '/0/plan'],
      nights: [[{ from: '2026-12-01', to: '2026-12-02', free: -1 }], '/0/free'],
    },
  },
  delete: {
    head: { kind: 'delete', stationType: 'Good', what: 'measurements' },
    item: { code: 'a', dataType: 'a', period: 60, from: '2026-11-20T10:15:00Z' },
    wrongHead: { kind: ['Delete'], stationType: [''], what: ['everything'], items: [5] },
    wrongItem: {
      code: [''],
      dataType: [5],
      period: [-1],
      from: ['2026-02-30T10:15:00Z'],
      to: ['yesterday'],
    },
  },
}

/**
 * Items that match their schema and still cannot be stored: kind, members, and location of the
 * error.
 */
export const impossibleItems: readonly (readonly [string, object, string])[] = [
  ['stations', { code: 'b', coordinate: [181, 46] }, '/coordinate'],
  ['stations', { code: 'b', coordinate: [46.49, 111.35] }, '/coordinate'],
  ['stations', { code: 'b', coordinate: [1e300, 1e300], srid: 25832 }, '/coordinate'],
  ['stations', { code: 'b', coordinate: [11, 46], srid: 998_999 }, '/coordinate'],
  ['stations', { code: 'b', parent: nowhere }, '/parent'],
  ['measurements', ['nowhere', 'a', '2026-11-20T10:15:00Z', 1], '/0'],
  ['measurements', ['a', 'nothing', '2026-11-20T10:15:00Z', 1], '/1'],
  ['measurements', ['a', 'a', '2026-02-30T10:15:00Z', 1], '/2'],
  ['measurements', ['a', 'a', '0000-02-20T10:15:00Z', 1], '/2'],
  ['delete', { code: 'a', range: 'all' }, '/range'],
  ['delete', { code: 'a', from: '2026-11-20T10:15:00+0100', to: '2026-11-20T09:14:00Z' }, '/to'],
  ['edges', { code: 'b', from: nowhere }, '/from'],
  ['edges', { code: 'b', to: nowhere }, '/to'],
  ['edges', { code: 'b', geometry: { type: 'LineString', coordinates: [[1, 2]] } }, '/geometry'],
  ['events', { uuid: 'b', start: '2026-11-20T25:00:00Z' }, '/start'],
  ['events', { uuid: 'b', end: '9999-12-31T23:59:59-10:00' }, '/end'],
  ['events', { uuid: 'b', geometry: { type: 'Point', coordinates: [46.49, 111.35] } }, '/geometry'],
  ['events', { uuid: 'b', geometry: { type: 'GeometryCollection' } }, '/geometry'],
]
