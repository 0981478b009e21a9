import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DefinitionFault } from '../../../definitions/index.ts'
import { MappingError } from '../faults.ts'
import { loadMapping } from './load-mapping.ts'
import type { MappingPlace } from './load-mapping.ts'
import { streamsOf } from './definition.ts'
import type { LoadedMapping } from './definition.ts'

const files = ['mapping.yaml', 'mapping.yml']
const namePattern = /^[A-Za-z0-9_.-]{1,128}$/

/**
 * Loads all mappings of a folder: `<name>/mapping.yaml` and `<name>.yaml`, with the files beside
 * them. A mapping of several streams is returned once for each of them.
 * @param folder undefined means no mappings
 * @throws MappingError with every fault of any of them
 */
export async function loadMappings(folder: string | undefined): Promise<readonly LoadedMapping[]> {
  if (folder === undefined) return []
  const { loaded, faults } = await loadPlaces(await findMappings(folder))
  const all = [...faults, ...rivals(loaded)]
  if (all.length > 0) throw new MappingError(all)
  return loaded.flatMap(({ mapping }) =>
    streamsOf(mapping.definition).map((stream) => ({ ...mapping, stream })),
  )
}

/**
 * Loads a mapping, given by its file, its folder, or its name in the folder of mappings.
 * @throws MappingError if there is none, or it has faults
 */
export async function loadOne(named: string, folder: string | undefined): Promise<LoadedMapping> {
  const place =
    (await placeAt(named)) ?? (folder === undefined ? undefined : await placeIn(folder, named))
  if (place === undefined) {
    const where = folder === undefined ? ', and HUB_MAPPINGS is not set' : ` in ${folder}`
    throw new MappingError([{ file: named, reason: `there is no such mapping${where}` }])
  }
  const found = await loadMapping(place)
  if (found.kind === 'wrong') throw new MappingError(found.faults)
  return found.mapping
}

async function placeIn(folder: string, name: string): Promise<MappingPlace | undefined> {
  return (await placeAt(join(folder, name))) ?? (await placeAt(join(folder, `${name}.yaml`)))
}

/** Finds the mapping at a path: a file, or a folder that contains one. */
export async function placeAt(path: string): Promise<MappingPlace | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return toPlace(path)
  if (found?.isDirectory() !== true) return undefined
  for (const file of files) {
    const inside = join(path, file)
    if ((await stat(inside).catch(() => undefined))?.isFile() === true) return toPlace(inside)
  }
  return undefined
}

function toPlace(path: string): MappingPlace {
  const file = basename(path)
  const folder = basename(join(path, '..'))
  const name = files.includes(file) ? folder : file.replace(/\.ya?ml$/, '')
  return { path, name, file: files.includes(file) ? join(folder, file) : file }
}

type Found = {
  readonly places: readonly MappingPlace[]
  readonly faults: readonly DefinitionFault[]
}

/** Finds the mappings in a folder, sorted by name. */
export async function findMappings(folder: string): Promise<Found> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) {
    return { places: [], faults: [{ file: folder, reason: 'there is no such folder' }] }
  }
  const places: MappingPlace[] = []
  const faults: DefinitionFault[] = []
  for (const { name } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (name.startsWith('.')) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) {
      faults.push({ file: name, reason: 'cannot be read; is it a link that leads nowhere?' })
      continue
    }
    if (!found.isDirectory() && !/\.ya?ml$/.test(name)) continue
    const place = await placeAt(path)
    if (place === undefined) faults.push({ file: name, reason: 'has no mapping.yaml' })
    else if (!namePattern.test(place.name)) {
      faults.push({ file: name, reason: 'A name has letters, digits, "_", "-" and "." only' })
    } else places.push(place)
  }
  return { places, faults }
}

/** A mapping with its place. */
export type PlacedMapping = { readonly place: MappingPlace; readonly mapping: LoadedMapping }

/** Loads the mappings at some places, and collects the faults of all of them. */
export async function loadPlaces({ places, faults }: Found) {
  const wrong = [...faults]
  const loaded: PlacedMapping[] = []
  for (const place of places) {
    const found = await loadMapping(place)
    if (found.kind === 'wrong') wrong.push(...found.faults)
    else loaded.push({ place, mapping: found.mapping })
  }
  return { loaded, faults: wrong }
}

/** Returns faults for mappings that share a name or a stream. */
function rivals(loaded: readonly PlacedMapping[]): readonly DefinitionFault[] {
  const faults: DefinitionFault[] = []
  const first = new Map<string, string>()
  for (const {
    mapping,
    place: { file },
  } of loaded) {
    const streams = streamsOf(mapping.definition).map((stream) => ['stream', stream] as const)
    for (const [what, value] of [...streams, ['name', mapping.name] as const]) {
      const other = first.get(`${what} ${value}`)
      if (other === undefined) first.set(`${what} ${value}`, file)
      else faults.push({ file, reason: `has the ${what} ${value}, which ${other} has, too` })
    }
  }
  return faults
}
