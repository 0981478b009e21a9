import { defineTypes } from './type-spec.ts'

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
