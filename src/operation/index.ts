// How the hub is doing: `GET /status` for everybody, `GET /operation` for whoever runs it.
export { readFigures } from './figures.ts'
export { announceNode } from './nodes.ts'
export { operationRoutes } from './routes.ts'
export { watchServices } from './watch-services.ts'
