import { printField } from '../rawfilter/index.ts'
import type { RawSort } from './ast.ts'

/** The canonical text: no blanks. It reads as the same order. */
export function printRawSort({ keys }: RawSort): string {
  return keys
    .map(({ field, direction }) => (direction === 'descending' ? '-' : '') + printField(field))
    .join(',')
}
