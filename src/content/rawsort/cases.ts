/** Records that the cases sort. */
export const records = [
  { Id: 'a', N: 10, T: 'b', Detail: { de: { Title: 'Z', Body: 'x' } }, Mixed: { k: 1 } },
  { Id: 'b', N: 9, T: 'B', Detail: { de: { Title: 'Ä', Body: 'y' } }, Mixed: [1] },
  { Id: 'c', N: -1.5, T: 'a', Detail: { de: { Title: 'Z', Body: 'w' } }, Mixed: true },
  { Id: 'd', N: null, T: 'ä', Mixed: 'text', List: [{ N: 2 }] },
  { Id: 'e', T: '', Mixed: 5, List: [{ N: 1 }] },
  { Id: 'f', N: 1e3, T: null, Mixed: null, HubTags: 'x' },
  { Id: 'g', N: 9, Mixed: false },
] as const

type Case = {
  readonly text: string
  readonly printed?: string
  /** Identifiers of the records in the order that it gives, equal ones by their identifier. */
  readonly order: string
}

/** What is understood (reference content.md 2.3 and 2.5). */
export const understood: readonly Case[] = [
  { text: 'Id', order: 'abcdefg' },
  { text: '-Id', order: 'gfedcba' },
  { text: '-_Meta.Id', order: 'gfedcba' },
  { text: 'N', order: 'dcbgafe' },
  { text: '-N', order: 'efabgcd' },
  { text: 'T', order: 'febcadg' },
  { text: 'Detail.de.Title', order: 'acbdefg' },
  { text: '-Detail.de.Title', order: 'defgbac' },
  { text: '-Detail.de.Title,Detail.de.Body', order: 'defgbca' },
  {
    text: 'Detail.de.Title, -Detail.de.Body',
    printed: 'Detail.de.Title,-Detail.de.Body',
    order: 'acbdefg',
  },
  { text: 'Mixed', order: 'fdegcba' },
  { text: '-Mixed', order: 'abcgedf' },
  { text: 'List.0.N', order: 'edabcfg' },
  { text: 'List.[*].0.N', order: 'edabcfg' },
  { text: 'List[*].N', printed: 'List.[*].N', order: 'abcdefg' },
  { text: ' - N , Id ', printed: '-N,Id', order: 'efabgcd' },
  { text: 'ODHTags', order: 'fabcdeg' },
]

type Refusal = { readonly text: string; readonly position: number; readonly expected: string }

export const refused: readonly Refusal[] = [
  { text: '', position: 0, expected: 'a field such as Detail.en.Title' },
  { text: '-', position: 1, expected: 'a field such as Detail.en.Title' },
  { text: 'A,', position: 2, expected: 'a field such as Detail.en.Title' },
  { text: ',A', position: 0, expected: 'a field such as Detail.en.Title' },
  { text: 'A B', position: 2, expected: '","' },
  { text: 'A desc', position: 2, expected: 'the end' },
  { text: 'A.', position: 2, expected: 'a field such as Detail.en.Title' },
  { text: 'A[0]', position: 1, expected: '"[*]"' },
  { text: '+A', position: 0, expected: 'a field such as Detail.en.Title' },
  {
    text: Array.from({ length: 21 }, () => 'A').join(','),
    position: 40,
    expected: 'at most 20 fields',
  },
  { text: 'A'.repeat(4001), position: 4000, expected: 'at most 4,000 characters' },
]
