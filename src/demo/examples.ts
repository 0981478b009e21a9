import type { toNaming } from '../content/index.ts'
import type { CanonicalObject, ContentItem, EventState, Texts } from './canonical.ts'
import { isoOf } from './setting.ts'

type ExamplePlan = {
  readonly naming: ReturnType<typeof toNaming>
  /** Time at which the station measures and the event starts. */
  readonly now: Date
}

const place = { longitude: 11.3547, latitude: 46.4983, altitude: 262 }
const origin = 'example'
const station = { stationType: 'ParkingStation', code: 'example-parking' }

/**
 * Creates one example of each kind of data, for a hub that is to run without the region. The
 * examples show the expected formats, and give dependent features something to return.
 */
export function examplesOf({ naming, now }: ExamplePlan): readonly CanonicalObject[] {
  const recorded = isoOf(now.getTime())
  const provenance = { name: 'demo', version: '1', lineage: origin }
  return [
    { kind: 'content', entity: naming.activityPoi, items: [pointOfInterest(naming, recorded)] },
    {
      kind: 'dataTypes',
      recorded,
      items: [
        {
          ...{ name: 'free', unit: '', type: 'Instantaneous' },
          ...{ description: 'Parking places that are free', metadata: {} },
        },
      ],
    },
    {
      kind: 'stations',
      stationType: station.stationType,
      ...{ origin, recorded, closed: false, complete: true },
      items: [
        {
          ...{ code: station.code, name: 'Example car park', parent: null },
          ...{ coordinate: [place.longitude, place.latitude], srid: 4326 },
          ...{ active: true, available: true, metadata: { capacity: 120 } },
        },
      ],
    },
    {
      kind: 'measurements',
      stationType: station.stationType,
      ...{ period: 300, provenance, recorded },
      items: [[station.code, 'free', recorded, 42]],
    },
    { kind: 'events', origin, closed: false, provenance, recorded, items: [roadworks(recorded)] },
  ]
}

function pointOfInterest(naming: ExamplePlan['naming'], now: string): ContentItem {
  const title: Texts = { de: 'Beispielmuseum', it: 'Museo di esempio', en: 'Example museum' }
  const text: Texts = {
    de: 'Ein Beispiel, um zu sehen, wie ein Eintrag aussieht.',
    it: 'Un esempio, per vedere come si presenta una scheda.',
    en: 'An example, to see what a record looks like.',
  }
  return {
    ...{ Id: 'example-museum', Shortname: 'Example museum', Source: origin },
    ...{ Active: true, [naming.active]: true, FirstImport: now, LastChange: now },
    LicenseInfo: { License: 'CC0', LicenseHolder: '', Author: '', ClosedData: false },
    Detail: Object.fromEntries(
      Object.entries(title).map(([Language, Title]) => [
        Language,
        { Language, Title, BaseText: text[Language] },
      ]),
    ),
    GpsInfo: [
      {
        Gpstype: 'position',
        ...{ Latitude: place.latitude, Longitude: place.longitude, Altitude: place.altitude },
        ...{ AltitudeUnitofMeasure: 'm', Default: true },
      },
    ],
  }
}

function roadworks(start: string): EventState {
  return {
    uuid: 'e8a3f0c2-6f0b-4a53-9a54-0d1f5f1a7b10',
    ...{ series: 'example-roadworks', name: 'Example roadworks', description: null },
    ...{ category: 'Baustelle | Cantiere', severity: 'low' },
    tags: ['announcement:traffic-event', 'traffic-event:roadworks'],
    ...{ start, end: null, cancelled: false },
    title: { de: 'Baustelle (Beispiel)', it: 'Cantiere (esempio)', en: 'Roadworks (example)' },
    text: { en: 'An example, to see what an event looks like.' },
    geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    locationDescription: 'Example street',
    metadata: {},
  }
}
