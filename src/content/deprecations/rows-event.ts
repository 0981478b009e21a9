import type { Naming } from '../naming.ts'
import type { Deprecation } from './deprecation.ts'
import { moved, obsolete, of, removed, replaced } from './rows.ts'

/** Interface 9.1. */
const removedMembers = removed({
  Pdf: 'String',
  Ranc: 'Integer',
  PayMet: 'String',
  Type: 'String',
  GrpEvent: 'Boolean',
  LTSTags: 'List<Object>',
  Hashtag: 'Map<List<String>>',
  'EventDate.GpsEast': 'Number',
  'EventDate.GpsNorth': 'Number',
  'EventDate.InscriptionTill': 'Number',
  'EventDate.EventDateAdditionalTime': 'Object',
  EventPrices: 'Map<List<Object>>',
  EventBenefit: 'Boolean',
  EventCrossSelling: 'List<Object>',
  EventDescAdditional: 'List<Object>',
  EventOperationScheduleOverview: 'Object',
  NextBeginDate: 'String',
})

const bookings = [
  'EventBooking',
  ...['EventBooking', 'AdditionalProperties.EventLTSDataProperties.EventBooking'].flatMap((path) =>
    ['BookableFrom', 'BookableTo', 'AccommodationAssignment'].map((name) => `${path}.${name}`),
  ),
]

const publishers = ['EventPublisher', 'AdditionalProperties.EventLTSDataProperties.EventPublisher']

const event = (naming: Naming) =>
  of(
    'Event',
    removedMembers,
    replaced([naming.tags], 'Tags'),
    replaced([naming.active], 'PublishedOn'),
    replaced(['EventPrice'], 'EventVariants'),
    replaced(bookings, 'EventUrls of the type bookingUrl'),
    replaced(['ClassificationRID'], 'Tags of the type eventclassification'),
    replaced(['Topics', 'TopicRIDs'], 'Tags of the type eventcategory'),
    replaced(['Ticket', 'EventDate.Ticket'], 'EventProperty.TicketRequired'),
    replaced(['SignOn'], 'EventProperty.RegistrationRequired'),
    replaced(['EventDatesBegin', 'EventDatesEnd', 'EventDateCounter'], 'EventDate'),
    replaced(['EventDate.EventCalculatedDay'], 'EventDate.EventCalculatedDays'),
    replaced(
      publishers.map((path) => `${path}.Publish`),
      'PublicationStatus',
    ),
    moved({
      OrgRID: 'EventProperty.EventOrganizerId',
      'EventDate.DayRID': 'EventDate.EventDateId',
      'EventDate.Cancelled': 'EventDate.IsCancelled',
      'EventDate.EventCalculatedDays.CDayRID': 'EventDate.EventCalculatedDays.CalculatedDayId',
      'EventAdditionalInfos.Mplace': 'EventAdditionalInfos.MeetingPoint',
      'EventAdditionalInfos.Reg': 'EventAdditionalInfos.Registration',
    }),
  )

const screens = [1, 2, 3, 4, 6, 7, 8, 9].map((number) => `Display${String(number)}`)

const eventShort = of(
  'EventShort',
  replaced(
    [
      'EventTitle',
      'EventText',
      'EventDescription',
      'EventDescriptionDE',
      'EventDescriptionIT',
      'EventDescriptionEN',
      'EventTextDE',
      'EventTextIT',
      'EventTextEN',
    ],
    'Detail',
  ),
  replaced(['EventDocument'], 'Documents'),
  replaced([...screens, 'ActiveToday', 'ActiveWeb', 'ActiveCommunityApp'], 'PublishedOn'),
  obsolete(['Display5']),
)

/** Interface 9.1, and the short events of reference content.md 7.5. */
export const eventRows = (naming: Naming): readonly Deprecation[] => [
  ...event(naming),
  ...eventShort,
]
