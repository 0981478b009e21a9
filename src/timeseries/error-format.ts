import { STATUS_CODES } from 'node:http'
import { catalogue } from '../errors/index.ts'
import { toProblem } from '../http/index.ts'
import type { ErrorFormat } from '../http/index.ts'

/** Problem details, with the members that clients of the time series service know (decision D1). */
export const timeseriesErrorFormat: ErrorFormat = (error, occasion) => ({
  ...toProblem(error, occasion),
  message: error.message,
  timestamp: occasion.now.getTime(),
  code: error.status,
  error: STATUS_CODES[error.status] ?? error.title,
  description: catalogue[error.code].explanation,
})
