import { AppError } from '../errors/index.ts'
import { createCursor, hintAt } from '../lang/index.ts'
import { readQuoted } from './filter/grammar.ts'
import { entityNames, setNames } from './entities.ts'
import type { Entities, Entity, EntityName, Relation } from './entities.ts'

/** A step of a path: a set of entities, or one of them. */
export type Step = {
  readonly entity: Entity
  /** Identifier of the entity; undefined for the whole set. */
  readonly id: string | undefined
  /** Relation that leads from the previous step to this one. */
  readonly relation: Relation | undefined
}

/** The resource that a path below the root identifies (OGC 18-088, 9.2). */
export type Resource = {
  readonly steps: readonly Step[]
  readonly isSet: boolean
  readonly shown:
    | 'entities'
    | 'references'
    | { readonly property: string; readonly form: 'json' | 'value' }
}

/**
 * Parses a path: `Things(1)/Datastreams`, `Datastreams(2)/Thing/name/$value`, `Things/$ref`.
 * @throws AppError HUB-RTE-003 for names that the standard does not have in that place
 */
export function readResourcePath(path: string, entities: Entities): Resource {
  const segments = path.split('/').filter((segment) => segment !== '')
  const steps: Step[] = []
  while (segments[0] !== undefined) {
    const step = readStep(segments[0], steps.at(-1), entities)
    if (step === undefined) break
    steps.push(step)
    segments.shift()
  }
  const last = steps.at(-1)
  if (last === undefined) throw unknown(segments[0] ?? '', Object.values(setNames))
  const isSet = last.id === undefined && last.relation?.isMany !== false
  return { steps, isSet, shown: readRest(segments, { entity: last.entity, isSet }) }
}

const noEntity = /^(?<name>[A-Za-z]+)(?<id>\(.*\))?$/u

function readStep(segment: string, before: Step | undefined, entities: Entities): Step | undefined {
  const { name = '', id: written } = noEntity.exec(segment)?.groups ?? {}
  const relation = before?.entity.relations[name]
  const target = before === undefined ? entityOfSet(name) : relation?.target
  if (target === undefined) return undefined
  if (before !== undefined && before.id === undefined && before.relation?.isMany !== false) {
    throw new AppError('HUB-RTE-003', `${name} belongs to one entity, not to a set.`, {
      hint: `Name one: ${setNames[before.entity.name]}(1)/${name}`,
    })
  }
  const isMany = relation?.isMany !== false
  const id = written === undefined ? undefined : readId(written)
  if (id !== undefined && !isMany) throw unknown(segment, [name])
  return { entity: entities[target], id, relation }
}

function entityOfSet(name: string): EntityName | undefined {
  return entityNames.find((one) => setNames[one] === name)
}

/** Parses an identifier in parentheses: a number, or a quoted text. */
function readId(written: string): string {
  const inner = written.slice(1, -1)
  return inner.startsWith("'") ? (readQuoted(createCursor(inner)) ?? inner) : inner
}

type Named = Pick<Resource, 'isSet'> & Pick<Step, 'entity'>

function readRest(rest: readonly string[], { entity, isSet }: Named): Resource['shown'] {
  const [first, second, surplus] = rest
  if (first === undefined) return 'entities'
  if (first === '$ref') {
    if (second === undefined) return 'references'
    throw unknown(second, [])
  }
  if (!isSet && Object.hasOwn(entity.properties, first)) {
    if (second === undefined) return { property: first, form: 'json' }
    if (second !== '$value') throw unknown(second, ['$value'])
    if (surplus === undefined) return { property: first, form: 'value' }
    throw unknown(surplus, [])
  }
  const relations = Object.keys(entity.relations)
  throw unknown(first, isSet ? ['$ref'] : [...Object.keys(entity.properties), ...relations, '$ref'])
}

function unknown(name: string, known: readonly string[]): AppError {
  const detail = `There is no ${JSON.stringify(name)} at this path.`
  const others = known.length === 0 ? 'End the path before it.' : `There are: ${known.join(', ')}.`
  const { hint = others } = hintAt(name, known)
  return new AppError('HUB-RTE-003', detail, { hint })
}
