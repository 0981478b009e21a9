import { branches } from './branches.ts'
import { locationTypes } from './location-types.ts'
import { recordTypes } from './record-types.ts'
import { signTypes } from './sign-types.ts'
import { situationTypes } from './situation-types.ts'
import type { TypeSpec } from './type-spec.ts'
import { vehicleTypes } from './vehicle-types.ts'
import { weatherTypes } from './weather-types.ts'

/** Every complex type that the hub can write, by its name in the schema. */
export const typeSpecs: Readonly<Record<string, TypeSpec>> = {
  ...situationTypes,
  ...branches,
  ...recordTypes,
  ...locationTypes,
  ...vehicleTypes,
  ...weatherTypes,
  ...signTypes,
}
