import fallbacks from './fallbacks-3.json' with { type: 'json' }
import { openModel } from './model.ts'
import schema from './schema-3.json' with { type: 'json' }

/**
 * DATEX II v3: model 3.7 with the profile for charging under AFIR. Names include the prefixes of
 * its schemas.
 */
export const version3 = openModel(schema, fallbacks)

/** Version of the schemas, stated in the JSON encoding. */
export const schemaVersion = '3.7'
