// The catalogue as linked data for other portals: what is stated of it, and how that is written.
import type { Dataset } from '../schemas.ts'
import type { Resource } from './graph.ts'
import { isMobility } from './mobility.ts'
import { highValueOf } from './state-dataset.ts'
import type { Context } from './state-dataset.ts'
import { toDcat } from './to-dcat.ts'
import type { CatalogueSource } from './to-dcat.ts'
import { writers } from './write.ts'

export { waysOf } from './state-dataset.ts'
export type { Publication } from './state-dataset.ts'
export { description } from './to-dcat.ts'

/** Profiles of DCAT-AP with mandatory statements that only some datasets can make truly. */
export type DcatProfile = 'hvd' | 'mobility'

export type LinkedRequest = {
  readonly form: keyof typeof writers
  readonly profile?: DcatProfile | undefined
  readonly id?: string
}

type Forms = Readonly<Record<LinkedRequest['form'], (root: Resource) => string | Promise<string>>>

/** Writes the catalogue, or a part of it; each form of each part once, unless it failed. */
export function linkedData(
  source: CatalogueSource,
  forms: Forms = writers,
): (request: LinkedRequest) => Promise<string> {
  const written = new Map<string, Promise<string>>()
  return (request) => {
    const { form, profile, id } = request
    const key = [form, profile, id].join(' ')
    const known = written.get(key)
    if (known !== undefined) return known
    const datasets = source.datasets.filter(
      (dataset) =>
        (id === undefined || dataset.id === id) &&
        (profile === undefined || isOf(profile, source)(dataset)),
    )
    const made = Promise.resolve(forms[form](toDcat({ ...source, datasets })))
    written.set(key, made)
    // Whoever requested it hears of the failure.
    made.catch(() => written.delete(key))
    return made
  }
}

/** Whether a profile is about a dataset. */
export function isOf(profile: DcatProfile, context: Context): (dataset: Dataset) => boolean {
  switch (profile) {
    case 'hvd':
      return (dataset) => highValueOf(dataset, context) !== undefined
    case 'mobility':
      return isMobility
  }
}
