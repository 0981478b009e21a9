import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { setSecurityHeaders } from './security-headers.ts'

it('sets the security headers on answers and on errors, open to pages of other origins', async () => {
  const app = fastify()
  setSecurityHeaders(app)
  app.get('/fine', () => 'fine')
  app.get('/broken', () => {
    throw new Error('broken')
  })
  for (const url of ['/fine', '/broken', '/nowhere']) {
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'cross-origin',
    })
  }
})
