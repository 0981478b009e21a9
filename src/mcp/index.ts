// The hub for assistants: tools and resources of the Model Context Protocol, on top of the public
// interface.
export { mcpRoutes } from './routes.ts'
