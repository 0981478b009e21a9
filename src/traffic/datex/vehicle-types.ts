import { defineTypes } from './type-spec.ts'

/** Vehicles, their loads and limits, and the people and machines at the scene. */
export const vehicleTypes = defineTypes({
  VehicleCharacteristics: {
    members: {
      fuelType: 'FuelTypeEnum?',
      loadType: 'LoadTypeEnum?',
      vehicleEquipment: 'VehicleEquipmentEnum?',
      vehicleType: 'VehicleTypeEnum*',
      vehicleUsage: 'VehicleUsageEnum?',
      grossWeightCharacteristic: 'GrossWeightCharacteristic{0,2}',
      heightCharacteristic: 'HeightCharacteristic{0,2}',
      lengthCharacteristic: 'LengthCharacteristic{0,2}',
      widthCharacteristic: 'WidthCharacteristic{0,2}',
      heaviestAxleWeightCharacteristic: 'HeaviestAxleWeightCharacteristic{0,2}',
      numberOfAxlesCharacteristic: 'NumberOfAxlesCharacteristic{0,2}',
    },
  },
  GrossWeightCharacteristic: {
    members: {
      comparisonOperator: 'ComparisonOperatorEnum',
      grossVehicleWeight: 'Tonnes',
    },
  },
  HeightCharacteristic: {
    members: {
      comparisonOperator: 'ComparisonOperatorEnum',
      vehicleHeight: 'MetresAsFloat',
    },
  },
  LengthCharacteristic: {
    members: {
      comparisonOperator: 'ComparisonOperatorEnum',
      vehicleLength: 'MetresAsFloat',
    },
  },
  WidthCharacteristic: {
    members: {
      comparisonOperator: 'ComparisonOperatorEnum',
      vehicleWidth: 'MetresAsFloat',
    },
  },
  HeaviestAxleWeightCharacteristic: {
    members: {
      comparisonOperator: 'ComparisonOperatorEnum',
      heaviestAxleWeight: 'Tonnes',
    },
  },
  NumberOfAxlesCharacteristic: {
    members: {
      comparisonOperator: 'ComparisonOperatorEnum',
      numberOfAxles: 'NonNegativeInteger',
    },
  },
  Vehicle: {
    members: {
      vehicleColour: 'MultilingualString?',
      vehicleCountryOfOrigin: 'MultilingualString?',
      vehicleIdentifier: 'String?',
      vehicleManufacturer: 'String?',
      vehicleModel: 'String?',
      vehicleRegistrationPlateIdentifier: 'String?',
      vehicleStatus: 'VehicleStatusEnum?',
      vehicleCharacteristics: 'VehicleCharacteristics?',
      axleSpacingOnVehicle: 'AxleSpacing*',
      specificAxleWeight: 'AxleWeight*',
      hazardousGoodsAssociatedWithVehicle: 'HazardousMaterials?',
    },
  },
  AxleSpacing: {
    members: {
      axleSpacing: 'MetresAsFloat',
      axleSpacingSequenceIdentifier: 'NonNegativeInteger',
    },
  },
  AxleWeight: {
    members: {
      axlePositionIdentifier: 'NonNegativeInteger',
      axleWeight: 'Tonnes?',
      maximumPermittedAxleWeight: 'Tonnes?',
    },
  },
  HazardousMaterials: {
    members: {
      chemicalName: 'MultilingualString',
      dangerousGoodsFlashPoint: 'TemperatureCelsius?',
      dangerousGoodsRegulations: 'DangerousGoodsRegulationsEnum?',
      hazardCodeIdentification: 'String?',
      hazardCodeVersionNumber: 'NonNegativeInteger?',
      hazardSubstanceItemPageNumber: 'String?',
      tremCardNumber: 'String?',
      undgNumber: 'String?',
      volumeOfDangerousGoods: 'CubicMetres?',
      weightOfDangerousGoods: 'Tonnes?',
    },
  },
  GroupOfVehiclesInvolved: {
    members: {
      numberOfVehicles: 'NonNegativeInteger?',
      vehicleStatus: 'VehicleStatusEnum?',
      vehicleCharacteristics: 'VehicleCharacteristics?',
    },
  },
  GroupOfPeopleInvolved: {
    members: {
      numberOfPeople: 'NonNegativeInteger?',
      injuryStatus: 'InjuryStatusTypeEnum?',
      involvementRole: 'InvolvementRolesEnum?',
      categoryOfPeopleInvolved: 'PersonCategoryEnum?',
    },
  },
  Mobility: {
    members: {
      mobilityType: 'MobilityEnum',
    },
  },
  Subjects: {
    members: {
      subjectTypeOfWorks: 'SubjectTypeOfWorksEnum',
      numberOfSubjects: 'NonNegativeInteger?',
    },
  },
  MaintenanceVehicles: {
    members: {
      numberOfMaintenanceVehicles: 'NonNegativeInteger?',
      maintenanceVehicleActions: 'MaintenanceVehicleActionsEnum*',
    },
  },
})
