import { loadRights } from '../api/index.ts'
import type { Rights } from '../api/index.ts'
import { session } from '../login/index.ts'
import { resource } from './resource.svelte.ts'

type Operation = Rights['content'][number]['operations'][number]

/** Whether these rights are enough to do something with the records of an entity. */
export function isPermitted({ content }: Rights, type: string, operation: Operation): boolean {
  return content.some(({ entity, operations }) => entity === type && operations.includes(operation))
}

/**
 * What whoever is logged in may do with the records of an entity. Nothing as long as that is not known: who may
 * not do it is not offered it, whatever the reason.
 */
export function permitted(type: string): (operation: Operation) => boolean {
  const rights = resource((signal) => (session.isIn ? loadRights(signal) : undefined))
  return (operation) => rights.data !== undefined && isPermitted(rights.data, type, operation)
}
