import type { Member } from '../../api/index.ts'
import type { DatasetDetails } from '../dataset-details.ts'
import type { Dataset } from '../query/index.ts'
import type { Column, ColumnKind } from './column.ts'

/** All columns that a dataset can have, in the order of its members; data types come first. */
export function columnsOf({ service }: Dataset, details: DatasetDetails): readonly Column[] {
  const { members, entry } = details
  if (service === 'timeseries') {
    const stations = members.filter(({ at, path }) => at === 'stations' && !/^p/.test(path))
    return [...entry.dataTypes.map(({ id }) => valueColumn(id)), ...stations.map(toColumn)]
  }
  const title = titlePaths.find((path) => members.some((member) => member.path === path))
  return members.map((member) => ({ ...toColumn(member), isTitle: member.path === title }))
}

/** The columns that suit a dataset as long as nobody has chosen others. */
function usualColumns({ service }: Dataset, all: readonly Column[]): readonly Column[] {
  const titles = all.filter(({ isTitle }) => isTitle)
  if (service === 'timeseries') {
    const values = all.filter(({ kind }) => kind === 'value').slice(0, mostValues)
    return [...titles, ...values, ...named(all, usualOfStations)]
  }
  const images = all.filter(({ kind }) => kind === 'image').slice(0, 1)
  return [...images, ...titles, ...named(all, usualOfContent)]
}

/** The chosen columns that there are, or those that suit. */
export function chooseColumns(
  dataset: Dataset,
  all: readonly Column[],
  chosen: readonly string[],
): readonly Column[] {
  const found = named(all, chosen)
  return found.length === 0 ? usualColumns(dataset, all) : found
}

/** Where the name of a record stands, the likeliest first. */
const titlePaths = [
  'Detail.{language}.Title',
  'AccoDetail.{language}.Name',
  'AccoRoomDetail.{language}.Name',
  'TagName.{language}',
  'MunicipalityName.{language}',
  'Name.{language}',
  'MetaTitle.{language}',
  'Name',
  'MetaTitle',
  'DistrictName',
  'EvolutionTitle',
  'Shortname',
  'Id',
]

const usualOfContent = [
  'Type',
  'DateBegin',
  'DateEnd',
  'StartTime',
  'EndTime',
  'Date',
  'LocationInfo.MunicipalityInfo.Name.*',
  'Source',
  'LicenseInfo.License',
  'Active',
  'LastChange',
  'GpsInfo.[*]',
]

const usualOfStations = [
  'smetadata.municipality',
  'smetadata.capacity',
  'scode',
  'sorigin',
  'sactive',
  'scoordinate',
]

const mostValues = 6

function named(all: readonly Column[], paths: readonly string[]): readonly Column[] {
  return paths.flatMap((path) => all.find((column) => column.path === path) ?? [])
}

function valueColumn(dataType: string): Column {
  return { ...plain, path: `@${dataType}`, kind: 'value' }
}

const plain = {
  isList: false,
  description: null,
  deprecated: null,
  takesToken: false,
  canSort: false,
  isTitle: false,
} as const

function toColumn(member: Member): Column {
  const { isList, description, deprecated, takesToken, canSort } = member
  const kind = kindOf(member)
  return {
    path: member.path.replace('{language}', '*'),
    kind,
    isList: isList && kind !== 'image' && kind !== 'place',
    description,
    deprecated,
    takesToken,
    canSort: canSort && !member.path.includes('{key}'),
    isTitle: member.path === 'sname',
  }
}

function kindOf({ path, type }: Member): ColumnKind {
  if (/(^|\.)ImageUrl$/.test(path)) return 'image'
  if (type === 'place' || /^GpsInfo(\.\[\*\])?$/.test(path)) return 'place'
  switch (type) {
    case 'text':
      return /(Url|Link|Website)$/i.test(path) ? 'link' : 'text'
    case 'number':
    case 'boolean':
    case 'time':
      return type
    default:
      return 'any'
  }
}

/** The columns whose name, path or description has all the words; names that begin so come first. */
export function findColumns(
  all: readonly Column[],
  search: string,
  labelOf: (column: Column) => string,
): readonly Column[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return all
  const [first = ''] = wanted
  const found = all.filter((column) => {
    const told = `${labelOf(column)} ${column.path} ${column.description ?? ''}`.toLowerCase()
    return wanted.every((word) => told.includes(word))
  })
  const rank = (column: Column) => (labelOf(column).toLowerCase().startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** The paths with one of them moved by some places. */
export function moveColumn(paths: readonly string[], path: string, by: number): readonly string[] {
  const others = paths.filter((one) => one !== path)
  const target = Math.max(0, Math.min(others.length, paths.indexOf(path) + by))
  return paths.includes(path) ? others.toSpliced(target, 0, path) : paths
}

/** Members that have a name in the languages of the page. */
const namedPaths = {
  title: /^(Detail\.\*\.Title|(Acco|AccoRoom)Detail\.\*\.Name|TagName\.\*)$/,
  name: /^(sname|Name|Name\.\*|MunicipalityName\.\*)$/,
  image: /^ImageGallery\.\[\*\]\.ImageUrl$/,
  type: /^Type$/,
  begin: /^(DateBegin|StartTime)$/,
  end: /^(DateEnd|EndTime)$/,
  municipality: /^(LocationInfo\.MunicipalityInfo\.Name\.\*|smetadata\.municipality)$/,
  place: /^(GpsInfo\.\[\*\]|scoordinate)$/,
  source: /^Source$/,
  origin: /^sorigin$/,
  code: /^scode$/,
  licence: /^LicenseInfo\.License$/,
  active: /^(Active|sactive)$/,
  changed: /^LastChange$/,
  capacity: /^smetadata\.capacity$/,
} as const

type Named = keyof typeof namedPaths

/** How a column is called: by a word where there is one, else by the end of its path. */
export function labelOf(path: string, words: Readonly<Record<Named, string>>): string {
  if (path.startsWith('@')) return path.slice(1)
  for (const [name, pattern] of Object.entries(namedPaths)) {
    if (pattern.test(path)) return words[isNamed(name) ? name : 'title']
  }
  const parts = path.split('.').filter((part) => !/^(\*|\[\*\]|\{key\}|smetadata)$/.test(part))
  return parts.slice(-2).join(' › ')
}

function isNamed(name: string): name is Named {
  return name in namedPaths
}
