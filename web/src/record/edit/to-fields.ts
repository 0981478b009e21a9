import type { Member } from '../../api/index.ts'

/** What a field needs of the catalogue. */
export type FieldMember = Pick<
  Member,
  'path' | 'type' | 'label' | 'role' | 'part' | 'unit' | 'entity' | 'description'
> &
  Pick<Member, 'deprecated' | 'canFilter'>

/** A field of a form, with those in it. */
export type FormField = {
  /** `ImageUrl` */
  readonly name: string
  /** From the record down, as the catalogue writes it, without what stands for languages and places in lists. */
  readonly path: string
  readonly member: FieldMember
  /** `languages`: what is in it is there for each language. `json`: of no form that a control could have. */
  readonly kind: 'value' | 'values' | 'group' | 'list' | 'languages' | 'json'
  readonly fields: readonly FormField[]
}

/** Fields that the hub writes itself, and those that are known by where they stand. */
const notOffered: ReadonlySet<Member['role']> = new Set([
  ...(['meta', 'changed', 'imported', 'language', 'address'] as const),
])

/** The fields of a record that somebody may write, in the order of the catalogue. */
export function toFields(members: readonly FieldMember[]): readonly FormField[] {
  return fieldsBelow(members, '').filter(
    ({ member: { role, canFilter } }) => canFilter && !notOffered.has(role),
  )
}

function fieldsBelow(members: readonly FieldMember[], prefix: string): readonly FormField[] {
  const inside = members.filter(({ path }) => path.startsWith(prefix))
  return inside.flatMap((member) => {
    const [, name] = /^(\w+)(\.\[\*\])?$/.exec(member.path.slice(prefix.length)) ?? []
    // A link is made when a record is read.
    return name === undefined || name === 'Self' ? [] : [toField(name, member, inside)]
  })
}

function toField(name: string, member: FieldMember, members: readonly FieldMember[]): FormField {
  const path = shorten(member.path)
  const inEach = members.find((one) => one.path === `${member.path}.{language}`)
  if (inEach !== undefined) {
    const { role, label } = inEach
    const said = { ...member, role: member.role ?? role, label: member.label ?? label }
    return { name, path, member: said, kind: 'languages', fields: inEachLanguage(inEach, members) }
  }
  const fields = fieldsBelow(members, `${member.path}.`)
  return { name, path, member, kind: kindOf(member, fields), fields }
}

function kindOf({ path, type }: FieldMember, fields: readonly FormField[]): FormField['kind'] {
  const isSeveral = path.endsWith('.[*]')
  if (fields.length > 0) return isSeveral ? 'list' : 'group'
  if (isSeveral) return type === 'text' ? 'values' : 'json'
  return type === 'object' || type === 'any' || type === 'json' ? 'json' : 'value'
}

/** What is there for each language: fields, or one that is the language's itself and has no name. */
function inEachLanguage(
  member: FieldMember,
  members: readonly FieldMember[],
): readonly FormField[] {
  // The language is what leads to the entry.
  const fields = fieldsBelow(members, `${member.path}.`).filter(({ name }) => name !== 'Language')
  return fields.length > 0 ? fields : [toField('', member, [])]
}

/** `ImageGallery.[*].ImageTitle.{language}` is ImageGallery.ImageTitle. */
function shorten(path: string): string {
  return path.replaceAll(/\.(\[\*\]|\{\w+\})/g, '')
}

export const sections = [
  ...(['texts', 'contact', 'place', 'times', 'pictures', 'tags', 'publishing'] as const),
  ...(['others', 'kept'] as const),
] as const

export type Section = (typeof sections)[number]

const sectionOfRole: Partial<Record<NonNullable<Member['role']>, Section>> = {
  ...{ texts: 'texts', title: 'texts', introduction: 'texts', text: 'texts', name: 'texts' },
  ...{ contact: 'contact' },
  ...{
    place: 'place',
    position: 'place',
    shape: 'place',
    location: 'place',
    municipality: 'place',
  },
  ...{ opening: 'times', dates: 'times', from: 'times', to: 'times' },
  ...{ picture: 'pictures', image: 'pictures' },
  ...{ tag: 'tags', kind: 'tags' },
  ...{ terms: 'publishing', status: 'publishing', publisher: 'publishing', source: 'publishing' },
}

const places: ReadonlySet<Member['part']> = new Set(['latitude', 'longitude', 'altitude', 'shape'])

/**
 * The part of the form in which a field stands: by its role, or that of the first field in it that has one.
 * What is deprecated, or made from others, stands at the end.
 */
export function sectionOf(field: FormField, isGenerated: (path: string) => boolean): Section {
  if (field.member.deprecated !== null || isGenerated(field.path)) return 'kept'
  return sectionWithin(field) ?? 'others'
}

function sectionWithin({ member: { role, part }, fields, kind }: FormField): Section | undefined {
  // A group of many things is none of them, but texts of each language are texts, whatever else is there.
  const within = kind === 'languages' ? fields.map(sectionWithin) : []
  if (within.includes('texts')) return 'texts'
  const own = role === null ? undefined : sectionOfRole[role]
  return own ?? (places.has(part) ? 'place' : within.find((one) => one !== undefined))
}

/** Paths of the fields that are deprecated and made from one, so whoever writes it writes them too. */
export function writtenWith(members: readonly FieldMember[], path: string): readonly string[] {
  return members.flatMap((one) => (one.deprecated?.replacement === path ? [shorten(one.path)] : []))
}
