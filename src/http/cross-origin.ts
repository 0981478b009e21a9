import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Our own response headers, so that a browser application may read them (decision D7). */
const exposedHeaders = [
  'ETag',
  'Last-Modified',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'Preference-Applied',
  'Deprecation',
  'Sunset',
  'RateLimit',
  'RateLimit-Policy',
  'Server-Timing',
  'X-Request-Id',
  'X-Ignored-Parameters',
  'X-Withheld',
  'X-Rate-Limit-Policy',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
]

const oneDay = 86_400

/** Any origin, no credentials, preflights cached, on errors too (decision D7). */
export async function allowCrossOrigin(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    exposedHeaders,
    maxAge: oneDay,
  })
}
