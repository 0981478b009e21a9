import { anything, flag, integer, moment, object, perLanguage, text, texts } from './values.ts'

/** How a wheelchair user gets from the car to the charger; no source states units or forms. */
const parkingSpace = object({
  Flat: anything,
  Gradient: anything,
  LateralInclination: anything,
  Pavement: anything,
  Width: anything,
  Length: anything,
})

/** A charging station as surveyed on the spot. */
export const electricCharging = object({
  Capacity: integer,
  State: text,
  PaymentInfo: text,
  AccessType: text,
  AccessTypeInfo: text,
  ChargingPistolTypes: texts,
  SurveyDate: moment,
  SurveyType: text,
  SurveyAnnotations: perLanguage(text),
  Covered: flag,
  Barrierfree: flag,
  CarParkingSpaceNextToEachOther: parkingSpace,
  CarParkingSpaceBehindEachOther: parkingSpace,
})
