import type { Member } from '../../api/index.ts'

/** The part of a catalogue field that forms need. */
export type FieldMember = Pick<
  Member,
  'path' | 'type' | 'label' | 'role' | 'part' | 'unit' | 'entity' | 'description'
> &
  Pick<Member, 'deprecated' | 'canFilter'>

/** A form field with its nested fields. */
export type FormField = {
  /** Name of the field, such as `ImageUrl`. */
  readonly name: string
  /** Path from the record, without placeholders for languages and list indexes. */
  readonly path: string
  readonly member: FieldMember
  /**
   * `languages`: the nested fields exist per language. `json`: no control can represent the value.
   */
  readonly kind: 'value' | 'values' | 'group' | 'list' | 'languages' | 'json'
  readonly fields: readonly FormField[]
}

/** Fields that the hub writes itself, or whose value follows from their position. */
const notOffered: ReadonlySet<Member['role']> = new Set([
  ...(['meta', 'changed', 'imported', 'language', 'address'] as const),
])

/** Returns the fields of a record that users may write, in the order of the catalogue. */
export function toFields(members: readonly FieldMember[]): readonly FormField[] {
  return fieldsBelow(members, '').filter(
    ({ member: { role, canFilter } }) => canFilter && !notOffered.has(role),
  )
}

function fieldsBelow(members: readonly FieldMember[], prefix: string): readonly FormField[] {
  const inside = members.filter(({ path }) => path.startsWith(prefix))
  return inside.flatMap((member) => {
    const [, name] = /^(\w+)(\.\[\*\])?$/.exec(member.path.slice(prefix.length)) ?? []
    // Links are generated when a record is read.
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

/**
 * Returns the fields that exist per language, or a single nameless one if the language holds the
 * value itself.
 */
function inEachLanguage(
  member: FieldMember,
  members: readonly FieldMember[],
): readonly FormField[] {
  // The key of the entry already states the language.
  const fields = fieldsBelow(members, `${member.path}.`).filter(({ name }) => name !== 'Language')
  return fields.length > 0 ? fields : [toField('', member, [])]
}

/**
 * Removes placeholders: `ImageGallery.[*].ImageTitle.{language}` becomes `ImageGallery.ImageTitle`.
 */
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
 * Returns the section of a field, by its own role or that of the first nested field with one.
 * Deprecated and generated fields belong to the last section.
 */
export function sectionOf(field: FormField, isGenerated: (path: string) => boolean): Section {
  if (field.member.deprecated !== null || isGenerated(field.path)) return 'kept'
  return sectionWithin(field) ?? 'others'
}

function sectionWithin({ member: { role, part }, fields, kind }: FormField): Section | undefined {
  // A group of mixed fields has no section of its own, but fields per language are texts if they
  // contain any text.
  const within = kind === 'languages' ? fields.map(sectionWithin) : []
  if (within.includes('texts')) return 'texts'
  const own = role === null ? undefined : sectionOfRole[role]
  return own ?? (places.has(part) ? 'place' : within.find((one) => one !== undefined))
}

/**
 * Returns the paths of deprecated fields that are derived from a field, and are therefore written
 * with it.
 */
export function writtenWith(members: readonly FieldMember[], path: string): readonly string[] {
  return members.flatMap((one) => (one.deprecated?.replacement === path ? [shorten(one.path)] : []))
}
