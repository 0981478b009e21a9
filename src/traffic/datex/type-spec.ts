/**
 * How the tables of this folder describe the DATEX II v2 schema (namespace 2_0, model 2.3).
 *
 * A member is `Type` with a quantifier as in regular expressions: none (exactly one), `?`, `*`, `+`,
 * `{min,max}`. A required member that a record could not do without carries a fallback:
 * `['AccidentTypeEnum+', 'accident']`. The order of members is the order of the schema.
 */
export type MemberSpec = string | readonly [type: string, fallback: unknown]

export type TypeSpec = {
  /** The type whose members come first. */
  readonly parent?: string
  /** An abstract type is written as one of its descendants, named by `xsi:type`. */
  readonly abstract?: true
  /** Required attributes: `text`, `index` (a whole number), or `=…` for a fixed value. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, MemberSpec>>
}

/** Checks a table without widening its names. */
export const defineTypes = <const Types extends Readonly<Record<string, TypeSpec>>>(types: Types) =>
  types

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
