import type { Member } from '../../api/index.ts'
import type { DatasetDetails } from '../dataset-details.ts'
import type { Dataset } from '../query/index.ts'
import type { Column, ColumnKind } from './column.ts'

/**
 * Returns all columns that a dataset can have: data types first, then fields in the order of the
 * catalogue.
 */
export function columnsOf(dataset: Dataset, details: DatasetDetails): readonly Column[] {
  const { members, entry } = details
  const isStation = dataset.service === 'timeseries'
  const own = isStation
    ? members.filter(({ at, path }) => at === 'stations' && !/^p/.test(path))
    : members
  const columns = own.map((member) => toColumn(member, dataset))
  return isStation ? [...entry.dataTypes.map(({ id }) => valueColumn(id)), ...columns] : columns
}

/** Returns the default columns: those that the hub marks, with latest values after the title. */
function usualColumns<Of extends Column>(all: readonly Of[]): readonly Of[] {
  const usual = all
    .filter(({ place }) => place !== null)
    .toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))
  const values = all.filter(({ kind }) => kind === 'value').slice(0, mostValues)
  return usual.toSpliced(usual.findIndex(({ isTitle }) => isTitle) + 1, 0, ...values)
}

/** Returns the selected columns that exist, or the default columns if none does. */
export function chooseColumns<Of extends Column>(
  all: readonly Of[],
  chosen: readonly string[],
): readonly Of[] {
  const found = chosen.flatMap((path) => all.find((column) => column.path === path) ?? [])
  return found.length === 0 ? usualColumns(all) : found
}

const mostValues = 6

function valueColumn(dataType: string): Column {
  return {
    ...{ path: `@${dataType}`, kind: 'value', label: null, unit: null, place: null },
    ...{ isList: false, description: null, deprecated: null, takesToken: false },
    ...{ canSort: false, isTitle: false },
  }
}

function toColumn(member: Member, { titleField }: Dataset): Column {
  const { path, isList, description, deprecated, takesToken, canSort, label, unit } = member
  const kind = kindOf(member)
  return {
    path: path.replace('{language}', '*'),
    kind,
    isList: isList && kind !== 'image' && kind !== 'place',
    description,
    deprecated,
    takesToken,
    canSort: canSort && !path.includes('{key}'),
    isTitle: path === titleField,
    label,
    unit,
    place: member.column,
  }
}

function kindOf({ path, type, role }: Member): ColumnKind {
  if (role === 'image' || role === 'place') return role
  switch (type) {
    case 'text':
      return /(Url|Link|Website)$/i.test(path) ? 'link' : 'text'
    case 'number':
    case 'boolean':
    case 'time':
    case 'place':
      return type
    default:
      return 'any'
  }
}

/**
 * Returns the columns whose label, path or description contains all words. Labels that start with
 * the first word come first.
 */
export function findColumns<Of extends Column>(
  all: readonly Of[],
  search: string,
  labelOf: (column: Of) => string,
): readonly Of[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return all
  const [first = ''] = wanted
  const found = all.filter((column) => {
    const told = `${labelOf(column)} ${column.path} ${column.description ?? ''}`.toLowerCase()
    return wanted.every((word) => told.includes(word))
  })
  const rank = (column: Of) => (labelOf(column).toLowerCase().startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** Moves a path by some positions, within the bounds of the list. */
export function moveColumn(paths: readonly string[], path: string, by: number): readonly string[] {
  const others = paths.filter((one) => one !== path)
  const target = Math.max(0, Math.min(others.length, paths.indexOf(path) + by))
  return paths.includes(path) ? others.toSpliced(target, 0, path) : paths
}

/**
 * Returns the heading of a column: the hub's label with its unit, or else the last two parts of the
 * path.
 */
export function labelOf(
  { path, label, unit }: Pick<Column, 'path' | 'label' | 'unit'>,
  language: 'de' | 'it' | 'en',
): string {
  if (label !== null) return unit === null ? label[language] : `${label[language]} (${unit})`
  if (path.startsWith('@')) return path.slice(1)
  const parts = path.split('.').filter((part) => !/^(\*|\[\*\]|\{key\}|smetadata)$/.test(part))
  return parts.slice(-2).join(' › ')
}
