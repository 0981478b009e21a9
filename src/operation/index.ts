// Hub status: `GET /status` for everybody, `GET /operation` for its operator.
export { readFigures } from './figures.ts'
export { announceNode } from './nodes.ts'
export { operationRoutes } from './routes.ts'
export { watchServices } from './watch-services.ts'
