import { activityViewsOf } from '../entities/activity-views.ts'
import type { Naming } from '../naming.ts'
import type { Deprecation } from './deprecation.ts'

/** When the deprecations of interface 9 were announced here, and until when they are served at least. */
const announced = { deprecated: '2026-11-20', removedAfter: '2027-12-31' } as const

/** What interface 9.1 lists as removed was gone before this hub was first published. */
const gone = { deprecated: '2025-11-20', removedAfter: '2026-11-19' } as const

type Row = Omit<Deprecation, 'entity'>

const member = (name: string, description: string): Row => ({
  kind: 'member',
  name,
  state: 'deprecated',
  description,
  ...announced,
})

/** Fields that another field replaces, in another form. */
const replaced = (names: readonly string[], replacement: string): readonly Row[] =>
  names.map((name) => member(name, `Use ${replacement}`))

/** Fields that nothing replaces. */
const obsolete = (names: readonly string[]): readonly Row[] =>
  names.map((name) => member(name, 'Obsolete'))

/** Fields whose value has moved unchanged to another path: from old to new. */
const moved = (paths: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(paths).map(([name, path]) => ({ ...member(name, `Use ${path}`), copyOf: path }))

/** The same for fields that keep their name within another object. */
const movedInto = (object: string, names: readonly string[]): readonly Row[] =>
  moved(Object.fromEntries(names.map((name) => [name, `${object}.${name}`])))

/** Fields that are neither stored nor served: names, and the types that they had. */
const removed = (types: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(types).map(([name, type]) => ({
    kind: 'member',
    name,
    state: 'removed',
    type,
    description: 'Removed: accepted when sent, but not stored',
    ...gone,
  }))

/** A query parameter of the list. */
const parameter = (name: string, replacement: string): Row => ({
  kind: 'parameter',
  name,
  state: 'deprecated',
  description: `Use ${replacement}`,
  ...announced,
})

/** An address. */
const route = (name: string, description: string): Row => ({
  kind: 'route',
  name,
  state: 'deprecated',
  description,
  ...announced,
})

/** Rows of one entity. */
const of = (entity: string, ...rows: readonly (readonly Row[])[]): readonly Deprecation[] =>
  rows.flat().map((row) => ({ entity, ...row }))

/** Properties of activities, which stood at the top of the record once (interface 9.4). */
export const activityProperties = [
  'AltitudeDifference',
  'AltitudeHighestPoint',
  'AltitudeLowestPoint',
  'AltitudeSumUp',
  'AltitudeSumDown',
  'DistanceDuration',
  'DistanceLength',
  'Highlight',
  'IsPrepared',
  'RunToValley',
  'IsWithLigth',
  'HasRentals',
  'LiftAvailable',
  'FeetClimb',
  'BikeTransport',
  'WayNumber',
  'Number',
] as const

/** Properties of points of interest and of activities (interface 9.4). */
export const sharedProperties = ['IsOpen', 'HasFreeEntrance'] as const

export const ageProperties = ['AgeFrom', 'AgeTo'] as const

export const gastronomyProperties = [
  'CategoryCodes',
  'DishRates',
  'CapacityCeremony',
  'Facilities',
  'MaxSeatingCapacity',
] as const

/** Interface 9.2 and 9.4; what 9.2 calls "to be removed" is still served. */
const activityRows = (naming: Naming): readonly Deprecation[] =>
  of(
    naming.activityPoi,
    replaced(
      [
        'Type',
        'SubType',
        'PoiType',
        'AdditionalPoiInfos.MainType',
        'AdditionalPoiInfos.SubType',
        'AdditionalPoiInfos.PoiType',
        naming.activityPoiTypes,
        'LTSTags',
      ],
      'Tags',
    ),
    replaced(
      [
        'CustomId',
        'SmgId',
        'OwnerRid',
        'ChildPoiIds',
        'MasterPoiIds',
        'OutdooractiveID',
        'OutdooractiveElevationID',
      ],
      'Mapping',
    ),
    moved({ Difficulty: 'Ratings.Difficulty' }),
    obsolete(['PoiProperty', 'PoiServices', 'SyncSourceInterface', 'SyncUpdateMode']),
    movedInto('AdditionalProperties.GastronomyLtsDataProperties', gastronomyProperties),
    movedInto('AdditionalProperties.PoiAgeDataProperties', ageProperties),
    // Points of interest have these two in an object of their own: src/content/write/generated.
    replaced(
      sharedProperties,
      'AdditionalProperties.ActivityLtsDataProperties or PoiLtsDataProperties',
    ),
    movedInto('AdditionalProperties.ActivityLtsDataProperties', activityProperties),
  )

/** In every entity that has them (interface 9.3, reference content.md 7.0). */
const everywhere = of(
  '*',
  replaced(['SmgTags'], 'Tags'),
  replaced(['SmgActive'], 'PublishedOn'),
  replaced(
    ['GpsPoints', 'Gpstype', 'Latitude', 'Longitude', 'Altitude', 'AltitudeUnitofMeasure'],
    'GpsInfo',
  ),
  replaced(['AreaId', 'LocationInfo.AreaInfo'], 'AreaIds'),
  moved({
    'OperationSchedule.OperationScheduleTime.Thuresday':
      'OperationSchedule.OperationScheduleTime.Thursday',
  }),
)

const accommodation = of(
  'Accommodation',
  movedInto('AccoProperties', [
    'HasApartment',
    'HasRoom',
    'HasDorm',
    'HasPitches',
    'IsCamping',
    'IsGastronomy',
    'IsBookable',
    'IsAccommodation',
    'TVMember',
  ]),
  moved({
    TrustYouID: 'Review.trustyou.ReviewId',
    TrustYouScore: 'Review.trustyou.Score',
    TrustYouResults: 'Review.trustyou.Results',
    TrustYouActive: 'Review.trustyou.Active',
    TrustYouState: 'Review.trustyou.StateInteger',
  }),
  replaced(['HgvId'], 'AccoBookingChannel'),
)

const webcam = of(
  'WebcamInfo',
  replaced(['Webcamname'], 'Detail'),
  moved({
    Webcamurl: 'WebCamProperties.WebcamUrl',
    Streamurl: 'WebCamProperties.StreamUrl',
    Previewurl: 'WebCamProperties.PreviewUrl',
  }),
)

/** The same fields once in lower case, and once not. */
const weather = of(
  'Weather',
  moved({
    date: 'Date',
    language: 'Language',
    evolutiontitle: 'EvolutionTitle',
    evolution: 'Evolution',
    'Conditions.bulletinStatus': 'Conditions.BulletinStatus',
    ...skyOf('Conditions'),
    ...skyOf('Forecast'),
  }),
)

function skyOf(parent: string): Readonly<Record<string, string>> {
  return {
    [`${parent}.date`]: `${parent}.Date`,
    [`${parent}.Weathercode`]: `${parent}.WeatherCode`,
    [`${parent}.Weatherdesc`]: `${parent}.WeatherDesc`,
    [`${parent}.WeatherImgurl`]: `${parent}.WeatherImgUrl`,
  }
}

const tag = ({ prefix }: Naming) =>
  of(
    'Tag',
    replaced(['Shortname'], 'TagName'),
    replaced(['MainEntity'], 'ValidForEntity'),
    replaced(['LTSTaggingInfo'], 'Mapping'),
    obsolete(['DisplayAsCategory', 'MappedTagIds', 'IDMCategoryMapping']),
    [route(`/v1/${prefix}Tag`, 'Use /v1/Tag')],
  )

/** Served in the compatible profile only. */
const activityViews = (naming: Naming) =>
  of(
    naming.activityPoi,
    activityViewsOf(naming).map(({ path }) =>
      route(`/v1/${path}`, `Use /v1/${naming.activityPoi}`),
    ),
  )

const metaData = (naming: Naming) =>
  of('MetaData', moved({ [naming.datasetType]: 'Type' }), replaced([naming.tags], 'Tags'))

const deprecated = of('Deprecated', [
  route('/v1/Deprecated', 'Use the annotations of /openapi.json, or the page /docs/deprecations'),
])

/** Lists whose records have other tags and publishers now (interface 9.1). */
const eventParameters = ({ activeFilter, tagFilter }: Naming) =>
  of('Event', [parameter(tagFilter, 'tagfilter'), parameter(activeFilter, 'publishedon')])

/**
 * Every deprecated and removed field, parameter and route (interface 9, fields marked in reference
 * content.md 7): the one place that says so. The annotations of OpenAPI, `/v1/Deprecated`, what is not
 * stored, the headers of answers and the copies that the hub makes all follow from it.
 */
export function deprecationsOf(naming: Naming): readonly Deprecation[] {
  return [
    ...everywhere,
    ...accommodation,
    ...activityRows(naming),
    ...activityViews(naming),
    ...eventRows(naming),
    ...eventParameters(naming),
    ...webcam,
    ...weather,
    ...tag(naming),
    ...metaData(naming),
    ...deprecated,
  ]
}

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
const eventRows = (naming: Naming): readonly Deprecation[] => [...event(naming), ...eventShort]
