import type { FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { requirePrincipal } from '../access/index.ts'
import type { PushPermission, Verified } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { pushOperation } from './schemas.ts'

type Segments = { readonly provider: string; readonly dataset: string }

/** `provider/dataset`, as messages name their stream. */
export function streamOf(params: unknown): string {
  if (!Check(pushOperation.params, params)) {
    throw new AppError('HUB-QRY-001', 'Provider and dataset are letters, digits, "_", "-" and ".".')
  }
  const { provider, dataset }: Segments = params
  return `${provider}/${dataset}`
}

/** As permissions name it (interface 5.10). */
function pathOf(stream: string): string {
  return `/${stream}`
}

/** @throws AppError HUB-ACC-001, HUB-ACC-002, HUB-ACC-003; HUB-ACC-004 of an external provider */
export async function assertMayPush(
  permission: PushPermission,
  request: FastifyRequest,
  stream: string,
): Promise<Verified> {
  const principal = requirePrincipal(request.principal)
  if (await permission.mayPush(principal, pathOf(stream))) return principal
  throw new AppError('HUB-ACC-003', `${principal.client} may not push to ${pathOf(stream)}.`, {
    hint: 'Ask the operator of the hub for the permission to write to this path.',
  })
}

/** Who may not push to a stream does not learn what is in it: a receipt is 404 for them (D53). */
export async function assertMayRead(
  permission: PushPermission,
  request: FastifyRequest,
  stream: string,
): Promise<Verified> {
  const principal = requirePrincipal(request.principal)
  if (await permission.mayPush(principal, pathOf(stream))) return principal
  throw noSuchMessage()
}

export function noSuchMessage(): AppError {
  return new AppError('HUB-RTE-003', 'There is no such message on this stream.')
}
