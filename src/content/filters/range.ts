import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { filter } from './filter.ts'
import type { Filter } from './filter.ts'
import { rejected } from './reject.ts'

type RangeFilter = {
  readonly name: string
  readonly description: string
  /** Of the values of the parameter, such as metres. */
  readonly unit: string
  readonly column: Sql
  /** How many units of the column one unit of the parameter is. */
  readonly factor?: number
}

const pattern = String.raw`^ *-?\d{1,9}(\.\d{1,6})? *, *-?\d{1,9}(\.\d{1,6})? *$`

/**
 * Two numbers with a comma: what lies between them, with the bounds; in the compatible profile without them
 * (reference content.md 1.1).
 */
export function rangeFilter({ name, description, unit, column, factor = 1 }: RangeFilter): Filter {
  const expected = [`two numbers in ${unit}, lower and upper bound, such as 500,1500`]
  return filter({
    name,
    schema: Type.String({
      pattern,
      maxLength: 100,
      description: `${description}: ${expected[0] ?? ''}`,
    }),
    examples: {
      good: ['500,1500', '0,2.5', ' -10 , 10'],
      bad: ['500', 'a,b', '1500,500', '1,2,3', '500;1500', ','],
    },
    read: (written, { profile }) => {
      const [low = 0, high = 0] = written.split(',').map(Number)
      if (low > high) {
        throw rejected({ parameter: name, detail: 'has its bounds the wrong way round', expected })
      }
      return {
        text: `${String(low)},${String(high)}`,
        condition:
          profile === 'compatible'
            ? sql`(${column} > ${low * factor} and ${column} < ${high * factor})`
            : sql`${column} between ${low * factor} and ${high * factor}`,
      }
    },
  })
}
