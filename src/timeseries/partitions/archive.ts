import { identifier } from '../../sql/index.ts'

const name = 'measurement_archive'

/** The schema that tables of old months are moved to. */
export const archive = { name, identifier: identifier(name) }
