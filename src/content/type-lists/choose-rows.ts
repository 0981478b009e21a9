import { nearest } from '../../lang/index.ts'
import { rejected } from '../filters/reject.ts'
import { foldDigraphs, foldText } from '../search/fold-text.ts'
import type { TypeListQuery } from './operation.ts'
import type { Row } from './to-rows.ts'
import type { TypeList } from './type-lists.ts'

type Asked = Pick<TypeListQuery, 'type' | 'idlist' | 'searchfilter' | 'language'>

/**
 * The rows that are asked for, in their order.
 * @throws AppError HUB-QRY-001 for a type that the list does not have
 */
export function chooseRows(
  { masks, tagged }: TypeList,
  rows: readonly Row[],
  { type, idlist, searchfilter, language }: Asked,
): readonly Row[] {
  const types = lower(type)
  assertTypes(types, [...Object.keys(masks), ...Object.keys(tagged)])
  const ids = lower(idlist)
  return rows.filter(
    (row) =>
      (types === undefined || types.includes(row.Type.toLowerCase())) &&
      (ids === undefined || ids.includes(row.Id.toLowerCase())) &&
      (searchfilter === undefined || isFound(row, searchfilter, language)),
  )
}

function lower(items: readonly string[] | undefined): readonly string[] | undefined {
  return items?.map((item) => item.trim().toLowerCase()).filter((item) => item !== '')
}

function assertTypes(wanted: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = wanted?.find((one) => !known.some((type) => type.toLowerCase() === one))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  throw rejected({
    parameter: 'type',
    detail: `has ${JSON.stringify(unknown)}, which is no type of this list`,
    expected: known,
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  })
}

/** As text search on titles does it: accents and letter case do not count. */
function isFound({ Id, TypeDesc }: Row, text: string, language: string | undefined): boolean {
  const wanted = foldText(text)
  if (Id.toLowerCase() === text.trim().toLowerCase()) return true
  return Object.entries(TypeDesc).some(([tongue, name]) => {
    if (typeof name !== 'string' || (language !== undefined && tongue !== language)) return false
    const folded = foldText(name)
    return folded.includes(wanted) || foldDigraphs(folded).includes(foldDigraphs(wanted))
  })
}
