import { defineTypes } from './type-spec.ts'

/** The abstract types that concrete records inherit from, from SituationRecord down. */
export const branches = defineTypes({
  SituationRecord: {
    abstract: true,
    attributes: { id: 'text', version: 'text' },
    members: {
      situationRecordCreationReference: 'String?',
      situationRecordCreationTime: 'DateTime',
      situationRecordObservationTime: 'DateTime?',
      situationRecordVersionTime: 'DateTime',
      situationRecordFirstSupplierVersionTime: 'DateTime?',
      confidentialityOverride: 'ConfidentialityValueEnum?',
      probabilityOfOccurrence: ['ProbabilityOfOccurrenceEnum', 'certain'],
      severity: 'SeverityEnum?',
      source: 'Source?',
      validity: 'Validity',
      impact: 'Impact?',
      cause: 'Cause?',
      generalPublicComment: 'Comment*',
      nonGeneralPublicComment: 'Comment*',
      urlLink: 'UrlLink*',
      groupOfLocations: 'GroupOfLocations',
      management: 'Management?',
    },
  },
  NonRoadEventInformation: { parent: 'SituationRecord', abstract: true, members: {} },
  NetworkManagement: {
    parent: 'OperatorAction',
    abstract: true,
    members: {
      complianceOption: ['ComplianceOptionEnum', 'advisory'],
      applicableForTrafficDirection: 'DirectionEnum*',
      applicableForTrafficType: 'TrafficTypeEnum*',
      placesAtWhichApplicable: 'PlacesEnum*',
      automaticallyInitiated: 'Boolean?',
      forVehiclesWithCharacteristicsOf: 'VehicleCharacteristics*',
    },
  },
  Roadworks: {
    parent: 'OperatorAction',
    abstract: true,
    members: {
      roadworksDuration: 'RoadworksDurationEnum?',
      roadworksScale: 'RoadworksScaleEnum?',
      underTraffic: 'Boolean?',
      urgentRoadworks: 'Boolean?',
      mobility: 'Mobility?',
      subjects: 'Subjects?',
      maintenanceVehicles: 'MaintenanceVehicles?',
    },
  },
  TrafficElement: { parent: 'SituationRecord', abstract: true, members: {} },
  Activity: {
    parent: 'TrafficElement',
    abstract: true,
    members: { mobilityOfActivity: 'Mobility?' },
  },
  RoadConditions: { parent: 'Conditions', abstract: true, members: {} },
  Obstruction: {
    parent: 'TrafficElement',
    abstract: true,
    members: {
      numberOfObstructions: 'NonNegativeInteger?',
      mobilityOfObstruction: 'Mobility?',
    },
  },
})
