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
