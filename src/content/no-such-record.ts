import { AppError } from '../errors/index.ts'
import type { Entity } from './entity.ts'

/** For a record that is not there, and for one that the caller may not see: nothing tells them apart (D34). */
export function noSuchRecord({ name }: Entity, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no ${name} with the id ${JSON.stringify(id)}.`)
}
