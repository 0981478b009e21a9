import { defineTypes } from './type-spec.ts'

/** A situation, and the parts that every record may have. */
export const situationTypes = defineTypes({
  Situation: {
    attributes: { id: 'text', version: 'text' },
    members: {
      overallSeverity: 'SeverityEnum?',
      relatedSituation: '_SituationVersionedReference*',
      situationVersionTime: 'DateTime?',
      headerInformation: 'HeaderInformation',
      situationRecord: 'SituationRecord+',
    },
  },
  HeaderInformation: {
    members: {
      areaOfInterest: 'AreaOfInterestEnum?',
      confidentiality: ['ConfidentialityValueEnum', 'noRestriction'],
      informationStatus: ['InformationStatusEnum', 'real'],
      urgency: 'UrgencyEnum?',
    },
  },
  Source: {
    members: {
      sourceCountry: 'CountryEnum?',
      sourceIdentification: 'String?',
      sourceName: 'MultilingualString?',
      sourceType: 'SourceTypeEnum?',
      reliable: 'Boolean?',
    },
  },
  Validity: {
    members: {
      validityStatus: ['ValidityStatusEnum', 'definedByValidityTimeSpec'],
      overrunning: 'Boolean?',
      validityTimeSpecification: 'OverallPeriod',
    },
  },
  OverallPeriod: {
    members: {
      overallStartTime: 'DateTime',
      overallEndTime: 'DateTime?',
      validPeriod: 'Period*',
      exceptionPeriod: 'Period*',
    },
  },
  Period: {
    members: {
      startOfPeriod: 'DateTime?',
      endOfPeriod: 'DateTime?',
      periodName: 'MultilingualString?',
      recurringTimePeriodOfDay: 'TimePeriodOfDay*',
      recurringDayWeekMonthPeriod: 'DayWeekMonth*',
    },
  },
  TimePeriodOfDay: { abstract: true, members: {} },
  TimePeriodByHour: {
    parent: 'TimePeriodOfDay',
    members: {
      startTimeOfPeriod: 'Time',
      endTimeOfPeriod: 'Time',
    },
  },
  DayWeekMonth: {
    members: {
      applicableDay: 'DayEnum{0,7}',
      applicableWeek: 'WeekOfMonthEnum{0,5}',
      applicableMonth: 'MonthOfYearEnum{0,12}',
    },
  },
  Impact: {
    members: {
      capacityRemaining: 'Percentage?',
      numberOfLanesRestricted: 'NonNegativeInteger?',
      numberOfOperationalLanes: 'NonNegativeInteger?',
      originalNumberOfLanes: 'NonNegativeInteger?',
      residualRoadWidth: 'MetresAsFloat?',
      trafficConstrictionType: 'TrafficConstrictionTypeEnum?',
      delays: 'Delays?',
    },
  },
  Delays: {
    members: {
      delayBand: 'DelayBandEnum?',
      delaysType: 'DelaysTypeEnum?',
      delayTimeValue: 'Seconds?',
    },
  },
  Cause: { abstract: true, members: {} },
  ManagedCause: {
    parent: 'Cause',
    members: {
      managedCause: '_SituationRecordVersionedReference?',
    },
  },
  NonManagedCause: {
    parent: 'Cause',
    members: {
      causeDescription: 'MultilingualString?',
      causeType: 'CauseTypeEnum?',
    },
  },
  Comment: {
    members: {
      comment: 'MultilingualString',
      commentDateTime: 'DateTime?',
      commentType: 'CommentTypeEnum?',
    },
  },
  UrlLink: {
    members: {
      urlLinkAddress: 'Url',
      urlLinkDescription: 'MultilingualString?',
      urlLinkType: 'UrlLinkTypeEnum?',
    },
  },
  Management: {
    members: {
      lifeCycleManagement: 'LifeCycleManagement?',
      filterExitManagement: 'FilterExitManagement?',
    },
  },
  LifeCycleManagement: {
    members: {
      cancel: 'Boolean?',
      end: 'Boolean?',
    },
  },
  FilterExitManagement: {
    members: {
      filterEnd: 'Boolean',
      filterOutOfRange: 'Boolean',
    },
  },
  VersionedReference: { attributes: { id: 'text', version: 'text' }, members: {} },
  _SituationVersionedReference: {
    parent: 'VersionedReference',
    attributes: { targetClass: '=Situation' },
    members: {},
  },
  _SituationRecordVersionedReference: {
    parent: 'VersionedReference',
    attributes: { targetClass: '=SituationRecord' },
    members: {},
  },
  InternationalIdentifier: {
    members: {
      country: 'CountryEnum',
      nationalIdentifier: 'String',
    },
  },
})

/** Measured weather and road surface. */
export const weatherTypes = defineTypes({
  PrecipitationDetail: {
    members: {
      precipitationType: 'PrecipitationTypeEnum?',
      precipitationIntensity: 'PrecipitationIntensityValue?',
      depositionDepth: 'FloatingPointMetreDistanceValue?',
    },
  },
  Visibility: {
    members: {
      minimumVisibilityDistance: 'IntegerMetreDistanceValue',
    },
  },
  Pollution: {
    members: {
      pollutantType: 'PollutantTypeEnum',
      pollutantConcentration: 'MicrogramsConcentrationValue?',
    },
  },
  Temperature: {
    members: {
      airTemperature: 'TemperatureValue?',
      dewPointTemperature: 'TemperatureValue?',
      maximumTemperature: 'TemperatureValue?',
      minimumTemperature: 'TemperatureValue?',
    },
  },
  Wind: {
    members: {
      windMeasurementHeight: 'MetresAsNonNegativeInteger?',
      windSpeed: 'SpeedValue?',
      maximumWindSpeed: 'SpeedValue?',
      windDirectionBearing: 'DirectionBearingValue?',
      windDirectionCompass: 'DirectionCompassValue?',
    },
  },
  Humidity: {
    members: {
      relativeHumidity: 'PercentageValue',
    },
  },
  RoadSurfaceConditionMeasurements: {
    members: {
      roadSurfaceTemperature: 'TemperatureValue?',
      protectionTemperature: 'TemperatureValue?',
      deIcingApplicationRate: 'ApplicationRateValue?',
      deIcingConcentration: 'KilogramsConcentrationValue?',
      depthOfSnow: 'FloatingPointMetreDistanceValue?',
      waterFilmThickness: 'FloatingPointMetreDistanceValue?',
    },
  },
  DataValue: {
    abstract: true,
    members: {
      dataError: 'Boolean?',
      reasonForDataError: 'MultilingualString?',
    },
  },
  ApplicationRateValue: {
    parent: 'DataValue',
    members: {
      applicationRate: 'IntensityKilogramsPerSquareMetre',
    },
  },
  DirectionBearingValue: {
    parent: 'DataValue',
    members: {
      directionBearing: 'AngleInDegrees',
    },
  },
  DirectionCompassValue: {
    parent: 'DataValue',
    members: {
      directionCompass: 'DirectionCompassEnum',
    },
  },
  FloatingPointMetreDistanceValue: {
    parent: 'DataValue',
    members: {
      floatingPointMetreDistance: 'MetresAsFloat',
    },
  },
  IntegerMetreDistanceValue: {
    parent: 'DataValue',
    members: {
      integerMetreDistance: 'MetresAsNonNegativeInteger',
    },
  },
  KilogramsConcentrationValue: {
    parent: 'DataValue',
    members: {
      kilogramsConcentration: 'ConcentrationKilogramsPerCubicMetre',
    },
  },
  MicrogramsConcentrationValue: {
    parent: 'DataValue',
    members: {
      microgramsConcentration: 'ConcentrationMicrogramsPerCubicMetre',
    },
  },
  PercentageValue: {
    parent: 'DataValue',
    members: {
      percentage: 'Percentage',
    },
  },
  PrecipitationIntensityValue: {
    parent: 'DataValue',
    members: {
      millimetresPerHourIntensity: 'IntensityMillimetresPerHour',
    },
  },
  SpeedValue: {
    parent: 'DataValue',
    members: {
      speed: 'KilometresPerHour',
    },
  },
  TemperatureValue: {
    parent: 'DataValue',
    members: {
      temperature: 'TemperatureCelsius',
    },
  },
})
