import { loadRights } from '../api/index.ts'
import type { Rights } from '../api/index.ts'
import { session } from '../login/index.ts'
import { resource } from './resource.svelte.ts'

type Operation = Rights['content'][number]['operations'][number]

/** Reports whether rights include an operation on the records of an entity. */
export function isPermitted({ content }: Rights, type: string, operation: Operation): boolean {
  return content.some(({ entity, operations }) => entity === type && operations.includes(operation))
}

/**
 * Returns a check of the user's permissions for an entity. Until the rights are loaded, or if that
 * fails, nothing is permitted, so that no action is offered in vain.
 */
export function permitted(type: string): (operation: Operation) => boolean {
  const rights = resource((signal) => (session.isIn ? loadRights(signal) : undefined))
  return (operation) => rights.data !== undefined && isPermitted(rights.data, type, operation)
}
