// The catalogue as linked data for other portals: the statements, and the forms of writing them.
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

/** Profiles of DCAT-AP. Their mandatory statements are true for some datasets only. */
export type DcatProfile = 'hvd' | 'mobility'

export type LinkedRequest = {
  readonly form: keyof typeof writers
  readonly profile?: DcatProfile | undefined
  readonly id?: string
}

type Forms = Readonly<Record<LinkedRequest['form'], (root: Resource) => string | Promise<string>>>

/**
 * Returns a function that writes the catalogue or a part of it. Each form of each part is written
 * once and cached, unless writing fails.
 */
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
    // The caller that requested it receives the error.
    made.catch(() => written.delete(key))
    return made
  }
}

/** Returns a predicate that reports whether a dataset belongs to a profile. */
export function isOf(profile: DcatProfile, context: Context): (dataset: Dataset) => boolean {
  switch (profile) {
    case 'hvd':
      return (dataset) => highValueOf(dataset, context) !== undefined
    case 'mobility':
      return isMobility
  }
}
