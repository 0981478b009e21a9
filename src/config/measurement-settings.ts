import { Type } from 'typebox'
import { quantity } from './quantity.ts'

/** Which measurements are expected, and how long they are kept. */
export const measurementSettings = {
  HUB_MEASUREMENT_YEARS_BACK: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 200,
    description:
      'Years before this one of which each month has a table of its own. Older values are stored in one table together. The same on all nodes.',
  }),
  HUB_MEASUREMENT_YEARS_AHEAD: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 100,
    description:
      'Years after this one of which each month has a table of its own. Later values are stored in one table together. The same on all nodes.',
  }),
  HUB_LATEST_AHEAD: quantity('s', {
    default: 31_622_400,
    minimum: 0,
    maximum: 3_153_600_000,
    description:
      'How far ahead of now a value may lie that is shown as the latest of its series: farther than any forecast. Later values are in the history only.',
  }),
  HUB_MEASUREMENT_KEEP_MONTHS: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1200,
    description:
      'Whole months of measurements that are kept beside the one that runs; older values are not taken either. 0: for ever. The same on all nodes.',
  }),
  HUB_MEASUREMENT_RETIREMENT: Type.Enum(['detach', 'move', 'drop'], {
    default: 'detach',
    description:
      'What becomes of the tables of older months: `detach` leaves them beside, `move` puts them into the schema measurement_archive, `drop` deletes them.',
  }),
}
