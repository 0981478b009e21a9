import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { imageSvg } from './images.ts'

const imageOperation = {
  operationId: 'getDemoImage',
  summary: 'A drawn picture of the made-up region',
  description: 'Pictures that the records of the demo point to, drawn from their key.',
  tags: ['Demo'],
  params: Type.Object({
    key: Type.String({
      maxLength: 100,
      description: 'What the picture shows; any text',
      examples: ['example'],
    }),
  }),
  response: {
    200: { description: 'The picture', content: { 'image/svg+xml': { schema: Type.String() } } },
    404: Type.Ref('ProblemDetails'),
  },
}

const oneDay = 86_400

/** What the records of the demo point to: pictures, drawn from their key. In demo mode only. */
export const demoRoutes: FastifyPluginAsyncTypebox = (app) => {
  app.get('/demo/images/:key.svg', { schema: imageOperation }, async (request, reply) => {
    void reply.header('cache-control', `public, max-age=${String(oneDay)}`)
    // The picture may run nothing, wherever it is shown.
    void reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return reply.type('image/svg+xml').send(imageSvg(request.params.key))
  })
  return Promise.resolve()
}
