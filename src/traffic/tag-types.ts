import type { RecordType } from './datex/index.ts'

export const severities = ['none', 'unknown', 'lowest', 'low', 'medium', 'high', 'highest'] as const

export type Severity = (typeof severities)[number]

/** How a kind of traffic event is said in DATEX II. */
export type Kind = {
  readonly type: RecordType
  /** Members of the record, by their names in the schema. */
  readonly members: Readonly<Record<string, unknown>>
  readonly severity: Severity
  /** Without an end, such an event leaves the feed after 24 hours (decision D55). */
  readonly shortLived: boolean
}

type Members = Kind['members']

const lasting = (severity: Severity, type: RecordType, members: Members): Kind => ({
  ...{ type, members, severity, shortLived: false },
})
const passing = (severity: Severity, type: RecordType, members: Members): Kind => ({
  ...{ type, members, severity, shortLived: true },
})
const laneOrder = (severity: Severity, value: string) =>
  lasting(severity, 'RoadOrCarriagewayOrLaneManagement', {
    complianceOption: 'mandatory',
    roadOrCarriagewayOrLaneManagementType: value,
  })

/**
 * Tag or category → kind. The first twelve are the categories of the public system
 * (reference push-traffic-auth.md 2.5); the others are tags that real events carry as well.
 * `current` and `mountain-pass` do not tell the kind of an event, so they are absent.
 */
export const tagTypes: ReadonlyMap<string, Kind> = new Map([
  ['congestion', passing('high', 'AbnormalTraffic', { abnormalTrafficType: 'slowTraffic' })],
  ['accident', passing('high', 'Accident', { accidentType: 'accident' })],
  [
    'animal-on-road',
    passing('high', 'AnimalPresenceObstruction', { animalPresenceType: 'animalsOnTheRoad' }),
  ],
  ['caution', laneOrder('medium', 'other')],
  ['road-work', lasting('medium', 'MaintenanceWorks', { roadMaintenanceType: 'roadworks' })],
  ['weather-related', passing('high', 'PoorEnvironmentConditions', { poorEnvironmentType: 'fog' })],
  ['event', passing('medium', 'PublicEvent', { publicEventType: 'majorEvent' })],
  ['prohibition', laneOrder('high', 'other')],
  ['closure', laneOrder('high', 'roadClosed')],
  ['hindrance', laneOrder('medium', 'singleAlternateLineTraffic')],
  [
    'speed-camera',
    passing('low', 'SpeedManagement', {
      complianceOption: 'mandatory',
      speedManagementType: 'policeSpeedChecksInOperation',
    }),
  ],
  [
    'road-condition',
    lasting('medium', 'WinterDrivingManagement', {
      complianceOption: 'mandatory',
      winterEquipmentManagementType: 'winterEquipmentOnBoardRequired',
    }),
  ],

  ['restriction', laneOrder('medium', 'other')],
  ['maintenance', lasting('low', 'MaintenanceWorks', { roadMaintenanceType: 'maintenanceWork' })],
  ['special', lasting('low', 'PublicEvent', { publicEventType: 'other' })],
  [
    'public-transport',
    lasting('low', 'TransitInformation', {
      transitServiceInformation: 'other',
      transitServiceType: 'bus',
    }),
  ],
  [
    'speed-limit',
    lasting('low', 'SpeedManagement', {
      complianceOption: 'mandatory',
      speedManagementType: 'speedRestrictionInOperation',
    }),
  ],
])

/** For events that no tag explains: every situation is in the feed (decision D55). */
export const unexplained = lasting('unknown', 'GeneralInstructionOrMessageToRoadUsers', {
  complianceOption: 'advisory',
})
