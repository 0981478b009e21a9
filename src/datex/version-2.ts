import fallbacks from './fallbacks-2.json' with { type: 'json' }
import { openModel } from './model.ts'
import type { ComplexType } from './model.ts'
import schema from './schema-2.json' with { type: 'json' }

/** DATEX II v2: namespace 2_0, model 2.3. */
export const version2 = openModel(schema, fallbacks)

/** The concrete types of situation records by name. */
export const recordTypes: Readonly<Record<string, ComplexType>> = Object.fromEntries(
  [...version2.types].filter(
    ([, { abstract, ancestors }]) => !abstract && ancestors.includes('SituationRecord'),
  ),
)

export function isRecordType(name: string): boolean {
  return Object.hasOwn(recordTypes, name)
}
