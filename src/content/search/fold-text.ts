const marks = /[\u0300-\u036f]/g
const letters = new Map([
  ['ß', 'ss'],
  ['ẞ', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'ae'],
  ['œ', 'oe'],
  ['Œ', 'oe'],
])
const capitals = 'øØłŁđĐıАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ'
const smalls = 'oollddiабвгдежзиклмнопрстуфхцчшщъыьэюя'

Array.from(capitals).forEach((capital, index) => {
  letters.set(capital, smalls.charAt(index))
})

/**
 * A text as titles are stored for search: no accents, lower case, blanks run together. The database
 * folds titles by the function `content_titles` (migrations/0007-filters.sql) in the same way.
 */
export function foldText(text: string): string {
  const plain = Array.from(
    text.normalize('NFKD').replace(marks, ''),
    (letter) => letters.get(letter) ?? letter,
  ).join('')
  const lower = plain.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return lower.replace(/[\x01-\x20]+/g, ' ').replace(/^ | $/g, '')
}

/** The same with ae, oe and ue as a, o and u, so that "groesse" and "grosse" are one word. */
export function foldDigraphs(folded: string): string {
  return folded.replace(/([aou])e/g, '$1')
}
