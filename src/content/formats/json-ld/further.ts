import { membersOf, textOf } from '../record-members.ts'
import { linkOf, toNode } from './node.ts'
import type { LinkedNode } from './node.ts'
import { geoOf, nameOf, thingOf } from './parts.ts'
import { textIn } from './subject.ts'
import type { Subject } from './subject.ts'

/** A telling of a record as one node of a type of schema.org. */
type Tell = (subject: Subject) => LinkedNode | undefined

const named =
  (type: string): Tell =>
  (subject) =>
    toNode(type, { ...thingOf(subject), name: nameIn(subject) })

/** What was measured or is expected, and where. */
const observation: Tell = (subject) => {
  const { record } = subject
  const dates = [record['LastUpdate'], record['Date'], record['lastUpdated'], record['date']]
  const { geo, address, ...thing } = thingOf(subject)
  const name = nameIn(subject)
  return toNode('Observation', {
    ...thing,
    name,
    observationDate: dates.flatMap((date) => textOf(date) ?? [])[0],
    observationAbout: toNode('Place', { name, geo: geo ?? stationOf(subject), address }),
  })
}

function stationOf({ record: { latitude, longitude, altitude: elevation } }: Subject) {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return toNode('GeoCoordinates', { latitude, longitude, elevation })
}

const webcam: Tell = (subject) => {
  const { record } = subject
  const camera = membersOf(record['WebCamProperties'])
  const { geo: _of, image: _seen, ...thing } = thingOf(subject)
  const link = (...members: readonly unknown[]) =>
    members.flatMap((member) => linkOf(textOf(member)) ?? [])[0]
  return toNode('ImageObject', {
    ...thing,
    contentUrl: link(camera['WebcamUrl'], record['Webcamurl']),
    embedUrl: link(camera['StreamUrl'], record['Streamurl']),
    thumbnailUrl: link(camera['PreviewUrl'], record['Previewurl']),
    contentLocation: toNode('Place', { geo: geoOf(record) }),
  })
}

export const toDataset: Tell = (subject) => {
  const { record } = subject
  return toNode('Dataset', {
    ...thingOf(subject),
    url: linkOf(textOf(record['ApiUrl'])),
    license: textOf(membersOf(record['LicenseInfo'])['License']),
    dateModified: textOf(record['LastChange']),
  })
}

/** Names by language stand elsewhere where there is no `Detail`. */
function nameIn(subject: Subject): string {
  const { record } = subject
  const names = [record['Name'], record['TagName'], record['MunicipalityName']]
  const byLanguage = names.flatMap((name) => textIn(subject, name) ?? [])[0]
  const plain = textOf(record['name']) ?? textOf(record['DistrictName'])
  return byLanguage ?? plain ?? nameOf(subject)
}

/** What the other entities are told as, by the identifiers of their types. */
export const furtherTellings: Readonly<Record<string, Tell>> = {
  accommodationroom: named('HotelRoom'),
  announcement: named('SpecialAnnouncement'),
  geoshape: named('Place'),
  measuringpoint: observation,
  publisher: named('Organization'),
  source: named('Organization'),
  tag: named('DefinedTerm'),
  weather: observation,
  weatherdistrict: observation,
  weatherforecast: observation,
  weatherrealtime: observation,
  webcam,
  wineaward: named('Product'),
}
