import { sql } from '../../sql/index.ts'
import type { Filter } from '../filters/filter.ts'
import { isShape } from './resolve-area.ts'
import { polygonFilterOn } from './polygon-filter.ts'

/**
 * Shapes by a shape: that one itself (interface 4.7); by what the caller draws: those whose outlines
 * meet it, or lie within it for `bbc`.
 */
export const shapeFilter: Filter = polygonFilterOn({
  place: sql`content_outline(data)`,
  named: isShape,
})
