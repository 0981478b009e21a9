import createClient from 'openapi-fetch'
import { ask } from './ask.ts'
import type { paths } from './schema.d.ts'

/**
 * The hub by its own description: `(await hub.GET('/quota', { signal })).data`. Failures are thrown as
 * `RequestFailure`. For lists of content and paths of several types, see `readJson`.
 */
export const hub = createClient<paths>({ baseUrl: location.origin, fetch: ask })
