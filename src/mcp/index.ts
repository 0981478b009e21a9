// The hub for assistants: tools and resources of the Model Context Protocol over the public interface.
export { mcpRoutes } from './routes.ts'
