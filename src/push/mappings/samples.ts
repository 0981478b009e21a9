import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { exactly } from '../../lang/schemas.ts'
import { pointerTo } from '../../lang/json.ts'
import type { LoadedMapping } from './definition/definition.ts'
import { findMappings, loadPlaces, placeAt } from './definition/load-mappings.ts'
import type { PlacedMapping } from './definition/load-mappings.ts'
import { MappingError } from './faults.ts'
import { printPreview } from './preview.ts'
import type { Preview, Previewer } from './preview.ts'

/** Maximum number of differences that are reported per sample. More would not help anyone. */
const maxReported = 20

/** A place where two JSON values differ. An undefined value is missing there. */
export type Difference = {
  readonly pointer: string
  readonly before: unknown
  readonly after: unknown
}

/** Yields the places where two JSON values differ, also inside objects and lists. */
export function* compareValues(
  before: unknown,
  after: unknown,
  pointer = '',
): Iterable<Difference> {
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, fresh] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
    for (const name of new Set([...old.keys(), ...fresh.keys()])) {
      yield* compareValues(old.get(name), fresh.get(name), pointerTo(pointer, name))
    }
    return
  }
  if (!Object.is(before, after)) yield { pointer, before, after }
}

/** Describes the differences between two JSON values, one line per place. */
export function differences(
  expected: unknown,
  actual: unknown,
  pointer: string,
): readonly string[] {
  const found = [...compareValues(expected, actual, pointer)].map(
    ({ pointer: place, before, after }) =>
      `${place}: expected ${shown(before)}, found ${shown(after)}`,
  )
  if (found.length <= maxReported) return found
  return [
    ...found.slice(0, maxReported),
    `… and ${String(found.length - maxReported)} more differences`,
  ]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** Result of one sample. */
export type SampleResult = {
  /** `<mapping>/<case>` */
  readonly name: string
  readonly outcome: 'same' | 'different' | 'written'
  /** The differences, one line each. */
  readonly differences: readonly string[]
}

/** Expected result of a sample. Without `rejected`, nothing may be rejected. */
const expectation = exactly({
  objects: Type.Array(Type.Object({})),
  rejected: Type.Optional(Type.Array(Type.Object({}))),
  received: Type.Optional(
    Type.String({ description: 'When the message came; 2026-01-01T00:00:00Z if it is left out' }),
  ),
  contentType: Type.Optional(Type.String()),
  stream: Type.Optional(
    Type.String({ description: 'Of a mapping that takes several; the first if it is left out' }),
  ),
})

type Expectation = Static<typeof expectation>

type Deps = {
  readonly preview: Previewer['preview']
  /** `write` replaces the expected result by the actual one. */
  readonly aim: 'compare' | 'write'
}

/**
 * Loads the mapping in a folder, or all mappings that the folder contains.
 * @throws MappingError if one of them cannot be used, or there is none
 */
export async function loadSampled(folder: string): Promise<readonly PlacedMapping[]> {
  const own = await placeAt(folder)
  const found = own === undefined ? await findMappings(folder) : { places: [own], faults: [] }
  const { loaded, faults } = await loadPlaces(found)
  if (found.places.length === 0) faults.push({ file: folder, reason: 'has no mapping' })
  if (faults.length > 0) throw new MappingError(faults)
  return loaded
}

/**
 * Evaluates the samples beside a mapping, and compares the results with the expected ones. Anything
 * that is not a file, and samples of the same case, count as different, because they have no
 * expected result of their own.
 */
export async function runSamples(
  { place, mapping }: PlacedMapping,
  deps: Deps,
): Promise<readonly SampleResult[]> {
  const folder = join(dirname(place.path), 'samples')
  const entries = await readdir(folder).catch(() => [])
  const files = entries.filter((file) => !file.endsWith(suffix) && !file.startsWith('.'))
  const results: SampleResult[] = []
  for (const [name, same] of Map.groupBy(files.toSorted(), caseOf)) {
    const [file = name] = same
    const fault = await sampleFault(folder, same)
    results.push(
      fault === undefined
        ? await runSample(mapping, { folder, file }, deps)
        : different(`${mapping.name}/${name}`, [fault]),
    )
  }
  return results
}

const suffix = '.expected.json'

/** Returns the name of a file without its extension. */
const caseOf = (file: string) => file.replace(/(.)\.[^.]+$/, '$1')

type Sample = { readonly folder: string; readonly file: string }

/** Returns why the files of one case cannot be used as a sample, or undefined. */
async function sampleFault(folder: string, files: readonly string[]): Promise<string | undefined> {
  const [file = '', ...others] = files
  if (others.length > 0) {
    const shared = `${caseOf(file)}${suffix}`
    return `${files.join(' and ')} would share ${shared}; name them differently`
  }
  const found = await stat(join(folder, file)).catch(() => undefined)
  if (found?.isFile() === true) return undefined
  const what = found?.isDirectory() === true ? 'is a folder' : 'cannot be read'
  return `${file} ${what}; samples are files`
}

async function runSample(
  mapping: LoadedMapping,
  { folder, file }: Sample,
  { preview, aim }: Deps,
): Promise<SampleResult> {
  const name = caseOf(file)
  const shown = `${mapping.name}/${name}`
  const path = join(folder, `${name}${suffix}`)
  const expected = await readExpectation(path)
  if (typeof expected === 'string' && aim === 'compare') return different(shown, [expected])
  const known: Partial<Expectation> = typeof expected === 'string' ? {} : expected
  const { received = '2026-01-01T00:00:00Z', contentType = null, stream = mapping.stream } = known
  const body = await readFile(join(folder, file))
  const message = { body, received: new Date(received), contentType }
  const made = await preview({ ...mapping, stream }, message)
  if (aim === 'write') {
    await writeFile(path, written(made, known))
    return { name: shown, outcome: 'written', differences: [] }
  }
  const wanted = { objects: [], rejected: [], ...known }
  const found = [
    ...differences(wanted.objects, plain(made.objects), '/objects'),
    ...differences(wanted.rejected, plain(made.rejected), '/rejected'),
  ]
  return found.length === 0
    ? { name: shown, outcome: 'same', differences: [] }
    : different(shown, found)
}

function different(name: string, found: readonly string[]): SampleResult {
  return { name, outcome: 'different', differences: found }
}

/** Reads the expected result of a sample. Returns a string if something is wrong with the file. */
async function readExpectation(path: string) {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return `there is no ${path}; --update writes it`
  try {
    const value: unknown = JSON.parse(text)
    if (Check(expectation, value)) return value
  } catch (error) {
    return `${path} is not valid JSON: ${error instanceof Error ? error.message : ''}`
  }
  return `${path} has fields other than objects, rejected, received, contentType and stream`
}

/** Returns a value as a file would hold it: without undefined fields. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

type Circumstances = Pick<Expectation, 'received' | 'contentType' | 'stream'>

/** Prints the expected result of a sample. The circumstances of the sample are kept. */
function written(made: Preview, { received, contentType, stream }: Circumstances): string {
  const members = Object.entries({ received, contentType, stream }).flatMap(([name, value]) =>
    value === undefined ? [] : [`\n  ${JSON.stringify(name)}: ${JSON.stringify(value)},`],
  )
  return `{${members.join('')}${printPreview(made).slice(1)}`
}
