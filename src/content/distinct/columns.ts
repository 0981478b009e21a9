import type { Entity } from '../entity.ts'
import { parseFields } from '../fields/parse-fields.ts'
import type { FieldPath } from '../fields/path.ts'
import { rejected } from '../filters/reject.ts'
import { identifier } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** One column of the answer: the values at a path, as texts. */
export type Column = { readonly path: FieldPath; readonly name: Sql }

type Asked = { readonly fields: readonly string[]; readonly getasarray: boolean }

/**
 * The columns that are asked for, in the order of the request.
 * @throws AppError HUB-QRY-001, HUB-QRY-004 (reference content.md 6.4)
 */
export function toColumns(entity: Entity, { fields, getasarray }: Asked): readonly Column[] {
  const paths = parseFields(fields)
  if (getasarray && paths.length > 1) {
    throw rejected({
      parameter: 'getasarray',
      detail: 'is only possible with one field',
      expected: ['one path in fields', 'getasarray=false'],
    })
  }
  const wild = paths.find(isWild)
  if (wild !== undefined && paths.length > 1) {
    throw rejected({
      parameter: 'fields',
      detail: `has ${wild.text}, which has several values in a record and so stands alone`,
      expected: ['one path with [*] or *', 'several paths without'],
    })
  }
  if (paths.some(({ steps: [first] }) => first?.kind === 'member' && first.name === 'Self')) {
    throw rejected({
      parameter: 'fields',
      detail: 'has Self, the address of each record, which is made when the record is read',
      expected: [`Id, which follows ${entity.path}/ in it`],
    })
  }
  return paths.map((path, index) => ({ path, name: identifier(`value ${String(index)}`) }))
}

/** Whether a path goes to all elements of an array or all members of an object. */
function isWild({ steps }: FieldPath): boolean {
  return steps.some((step) => step.kind === 'each' || isEveryMember(step))
}

export function isEveryMember(step: FieldPath['steps'][number]): boolean {
  return step.kind === 'member' && step.name === '*'
}
