import { defineTypes } from './type-spec.ts'

/** What a SignSetting says when the event does not name its sign. */
const unknownSign = {
  type: 'VmsUnit',
  vmsUnitTableReference: { id: 'unknown', version: '1' },
  vmsUnitReference: { id: 'unknown', version: '1' },
}

/** The 30 concrete situation record types. Fallbacks are the least that can be said. */
export const recordTypes = defineTypes({
  AbnormalTraffic: {
    parent: 'TrafficElement',
    members: {
      abnormalTrafficType: 'AbnormalTrafficTypeEnum?',
      numberOfVehiclesWaiting: 'NonNegativeInteger?',
      queueLength: 'MetresAsNonNegativeInteger?',
      relativeTrafficFlow: 'RelativeTrafficFlowEnum?',
      trafficFlowCharacteristics: 'TrafficFlowCharacteristicsEnum?',
      trafficTrendType: 'TrafficTrendTypeEnum?',
    },
  },
  Accident: {
    parent: 'TrafficElement',
    members: {
      accidentCause: 'AccidentCauseEnum?',
      accidentType: ['AccidentTypeEnum+', 'accident'],
      totalNumberOfPeopleInvolved: 'NonNegativeInteger?',
      totalNumberOfVehiclesInvolved: 'NonNegativeInteger?',
      vehicleInvolved: 'Vehicle*',
      groupOfVehiclesInvolved: 'GroupOfVehiclesInvolved*',
      groupOfPeopleInvolved: 'GroupOfPeopleInvolved*',
    },
  },
  AnimalPresenceObstruction: {
    parent: 'Obstruction',
    members: {
      alive: 'Boolean?',
      animalPresenceType: ['AnimalPresenceTypeEnum', 'animalsOnTheRoad'],
    },
  },
  AuthorityOperation: {
    parent: 'Activity',
    members: {
      authorityOperationType: ['AuthorityOperationTypeEnum', 'undefinedAuthorityActivity'],
    },
  },
  CarParks: {
    parent: 'NonRoadEventInformation',
    members: {
      carParkConfiguration: 'CarParkConfigurationEnum?',
      carParkIdentity: ['String', 'unknown'],
      carParkOccupancy: 'Percentage?',
      carParkStatus: 'CarParkStatusEnum?',
      exitRate: 'VehiclesPerHour?',
      fillRate: 'VehiclesPerHour?',
      numberOfVacantParkingSpaces: 'NonNegativeInteger?',
      occupiedSpaces: 'NonNegativeInteger?',
      queuingTime: 'Seconds?',
      totalCapacity: 'NonNegativeInteger?',
    },
  },
  Conditions: {
    parent: 'TrafficElement',
    members: { drivingConditionType: 'DrivingConditionTypeEnum?' },
  },
  ConstructionWorks: {
    parent: 'Roadworks',
    members: { constructionWorkType: 'ConstructionWorkTypeEnum?' },
  },
  DisturbanceActivity: {
    parent: 'Activity',
    members: { disturbanceActivityType: ['DisturbanceActivityTypeEnum', 'other'] },
  },
  EnvironmentalObstruction: {
    parent: 'Obstruction',
    members: {
      depth: 'MetresAsFloat?',
      environmentalObstructionType: ['EnvironmentalObstructionTypeEnum', 'other'],
    },
  },
  EquipmentOrSystemFault: {
    parent: 'TrafficElement',
    members: {
      equipmentOrSystemFaultType: ['EquipmentOrSystemFaultTypeEnum', 'notWorking'],
      faultyEquipmentOrSystemType: ['EquipmentOrSystemTypeEnum', 'other'],
    },
  },
  GeneralInstructionOrMessageToRoadUsers: {
    parent: 'NetworkManagement',
    members: {
      generalInstructionToRoadUsersType: 'GeneralInstructionToRoadUsersTypeEnum?',
      generalMessageToRoadUsers: 'MultilingualString?',
    },
  },
  GeneralNetworkManagement: {
    parent: 'NetworkManagement',
    members: {
      generalNetworkManagementType: ['GeneralNetworkManagementTypeEnum', 'other'],
      trafficManuallyDirectedBy: 'PersonCategoryEnum?',
    },
  },
  GeneralObstruction: {
    parent: 'Obstruction',
    members: {
      obstructionType: ['ObstructionTypeEnum+', 'other'],
      groupOfPeopleInvolved: 'GroupOfPeopleInvolved*',
    },
  },
  InfrastructureDamageObstruction: {
    parent: 'Obstruction',
    members: { infrastructureDamageType: ['InfrastructureDamageTypeEnum', 'other'] },
  },
  MaintenanceWorks: {
    parent: 'Roadworks',
    members: { roadMaintenanceType: ['RoadMaintenanceTypeEnum+', 'roadworks'] },
  },
  NonWeatherRelatedRoadConditions: {
    parent: 'RoadConditions',
    members: {
      nonWeatherRelatedRoadConditionType: ['NonWeatherRelatedRoadConditionTypeEnum+', 'other'],
    },
  },
  OperatorAction: {
    parent: 'SituationRecord',
    members: {
      actionOrigin: 'OperatorActionOriginEnum?',
      actionPlanIdentifier: 'String?',
      operatorActionStatus: 'OperatorActionStatusEnum?',
    },
  },
  PoorEnvironmentConditions: {
    parent: 'Conditions',
    members: {
      poorEnvironmentType: ['PoorEnvironmentTypeEnum+', 'badWeather'],
      precipitationDetail: 'PrecipitationDetail?',
      visibility: 'Visibility?',
      pollution: 'Pollution?',
      temperature: 'Temperature?',
      wind: 'Wind?',
      humidity: 'Humidity?',
    },
  },
  PublicEvent: {
    parent: 'Activity',
    members: { publicEventType: ['PublicEventTypeEnum', 'other'] },
  },
  ReroutingManagement: {
    parent: 'NetworkManagement',
    members: {
      reroutingManagementType: ['ReroutingManagementTypeEnum+', 'followLocalDiversion'],
      reroutingItineraryDescription: 'MultilingualString?',
      signedRerouting: 'Boolean?',
      entry: 'String?',
      exit: 'String?',
      roadOrJunctionNumber: 'String?',
    },
  },
  RoadOperatorServiceDisruption: {
    parent: 'NonRoadEventInformation',
    members: {
      roadOperatorServiceDisruptionType: [
        'RoadOperatorServiceDisruptionTypeEnum+',
        'noTrafficOfficerPatrolService',
      ],
    },
  },
  RoadOrCarriagewayOrLaneManagement: {
    parent: 'NetworkManagement',
    members: {
      roadOrCarriagewayOrLaneManagementType: ['RoadOrCarriagewayOrLaneManagementTypeEnum', 'other'],
      minimumCarOccupancy: 'NonNegativeInteger?',
    },
  },
  RoadsideAssistance: {
    parent: 'OperatorAction',
    members: { roadsideAssistanceType: ['RoadsideAssistanceTypeEnum', 'other'] },
  },
  RoadsideServiceDisruption: {
    parent: 'NonRoadEventInformation',
    members: {
      roadsideServiceDisruptionType: [
        'RoadsideServiceDisruptionTypeEnum+',
        'someCommercialServicesClosed',
      ],
    },
  },
  SignSetting: {
    parent: 'OperatorAction',
    members: { vmsSetting: ['VmsSetting', unknownSign] },
  },
  SpeedManagement: {
    parent: 'NetworkManagement',
    members: {
      speedManagementType: 'SpeedManagementTypeEnum?',
      temporarySpeedLimit: 'KilometresPerHour?',
    },
  },
  TransitInformation: {
    parent: 'NonRoadEventInformation',
    members: {
      journeyDestination: 'MultilingualString?',
      journeyOrigin: 'MultilingualString?',
      journeyReference: 'String?',
      transitServiceInformation: ['TransitServiceInformationEnum', 'other'],
      transitServiceType: ['TransitServiceTypeEnum', 'bus'],
      scheduledDepartureTime: 'DateTime?',
    },
  },
  VehicleObstruction: {
    parent: 'Obstruction',
    members: {
      vehicleObstructionType: ['VehicleObstructionTypeEnum', 'other'],
      obstructingVehicle: 'Vehicle*',
    },
  },
  WeatherRelatedRoadConditions: {
    parent: 'RoadConditions',
    members: {
      weatherRelatedRoadConditionType: ['WeatherRelatedRoadConditionTypeEnum+', 'other'],
      roadSurfaceConditionMeasurements: 'RoadSurfaceConditionMeasurements?',
    },
  },
  WinterDrivingManagement: {
    parent: 'NetworkManagement',
    members: { winterEquipmentManagementType: ['WinterEquipmentManagementTypeEnum', 'other'] },
  },
})

export type RecordType = keyof typeof recordTypes

export function isRecordType(name: unknown): name is RecordType {
  return typeof name === 'string' && Object.hasOwn(recordTypes, name)
}
