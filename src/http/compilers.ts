import type { FastifyInstance } from 'fastify'

/**
 * Keeps Fastify from compiling route schemas. Query strings are checked by `readQueries`, bodies by
 * those who read them, and answers are texts already: a second validator and serialiser would only
 * repeat it, and cost a second at start. Call it before the routes are added.
 */
export function describeOnly(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.validatorCompiler = () => () => true
    route.serializerCompiler = () => (value) => JSON.stringify(value)
  })
}
