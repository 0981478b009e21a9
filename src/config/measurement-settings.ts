import { Type } from 'typebox'

/** How long measurements are kept. */
export const measurementSettings = {
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
