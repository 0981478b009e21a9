import type { FastifyReply } from 'fastify'
import { AppError } from '../errors/index.ts'
import { windowLength } from './counters.ts'
import type { Count } from './counters.ts'
import type { Plan } from './plans.ts'

/**
 * The quota in headers of an answer (decision D63): structured fields of
 * draft-ietf-httpapi-ratelimit-headers-10, and those that clients of the public system read.
 */
export function tellQuota(reply: FastifyReply, plan: Plan, { used, left }: Count): void {
  if (plan.requests === undefined) {
    void reply.header('x-rate-limit-policy', plan.name)
    return
  }
  const limit = String(plan.requests)
  const remaining = String(remainingOf(plan.requests, used))
  const reset = toSeconds(left)
  void reply.headers({
    'ratelimit-policy': `"${plan.name}";q=${limit};w=${String(windowLength)}`,
    ratelimit: `"${plan.name}";r=${remaining};t=${reset}`,
    'x-rate-limit-policy': plan.name,
    'x-rate-limit-limit': limit,
    'x-rate-limit-remaining': remaining,
    'x-rate-limit-reset': reset,
  })
}

export function remainingOf(limit: number, used: number): number {
  return Math.max(0, limit - used)
}

/** Whole seconds, never less than the real wait. */
export function toSeconds(milliseconds: number): string {
  return String(Math.ceil(milliseconds / 1000))
}

/** The same where it is too many from one address, over all paths. */
export function exhaustedByAddress(plan: Plan, limit: number, { left }: Count): AppError {
  return new AppError(
    'HUB-QTA-002',
    `Your address has exhausted its API request quota: ${String(limit)} requests in a second over all paths and applications. Try again after ${toSeconds(left)} s.`,
    { policy: plan.name, headers: { 'retry-after': toSeconds(Math.max(1, left)) } },
  )
}

/** What is told whoever has asked too often: the body of the interface, sections 7 and 8. */
export function exhausted(plan: Plan, { left }: Count): AppError {
  const alike = plan.countedPer.join(', ')
  return new AppError(
    'HUB-QTA-002',
    `You have exhausted your API request quota: ${String(plan.requests)} requests in a second for callers of the kind "${plan.name}", counted per ${alike}. Try again after ${toSeconds(left)} s.`,
    { policy: plan.name, headers: { 'retry-after': toSeconds(Math.max(1, left)) } },
  )
}
