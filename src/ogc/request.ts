import type { FastifyRequest } from 'fastify'
import { fieldsOf } from '../lang/json.ts'

/**
 * Options of routes that parse their own parameters, because unknown ones are errors here
 * (17-069r4, 7.6).
 */
export const route = { schema: { hide: true }, config: { queryReader: 'protocol' } } as const

export function paramOf({ params }: FastifyRequest, name: string): string {
  const value = fieldsOf(params)[name]
  return typeof value === 'string' ? value : ''
}
