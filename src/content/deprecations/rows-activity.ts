import type { Naming } from '../naming.ts'
import type { Deprecation } from './deprecation.ts'
import { moved, movedInto, obsolete, of, replaced } from './rows.ts'

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
export const activityRows = (naming: Naming): readonly Deprecation[] =>
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
