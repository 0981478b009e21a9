import { activityViewsOf } from '../entities/activity-views.ts'
import type { Naming } from '../naming.ts'
import type { Deprecation } from './deprecation.ts'
import { activityRows } from './rows-activity.ts'
import { eventRows } from './rows-event.ts'
import { moved, movedInto, obsolete, of, parameter, replaced, route } from './rows.ts'

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

/** The same members once in lower case, and once not. */
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
 * Every deprecated and removed member, parameter and route (interface 9, members marked in reference
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
