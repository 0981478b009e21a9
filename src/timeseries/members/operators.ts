import { memberships, operatorsOf, places } from '../where/operators.ts'

/** Every operator of `where`. */
export const whereOperators = [
  ...new Set([...operatorsOf.number, ...operatorsOf.text, ...memberships, ...places]),
]
