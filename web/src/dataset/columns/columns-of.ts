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
