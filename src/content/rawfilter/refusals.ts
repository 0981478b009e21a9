type Refusal = {
  readonly text: string
  readonly position: number
  /** One of the things that could have stood there. */
  readonly expected: string
  readonly hint?: RegExp
}

const nested = (depth: number) => `${'not('.repeat(depth - 1)}isnull(A)${')'.repeat(depth - 1)}`

/** What is refused (reference content.md 2.5), and where. */
export const refused: readonly Refusal[] = [
  { text: 'eq(Active,true', position: 14, expected: '")"' },
  { text: 'EQ(Active,true)', position: 0, expected: 'eq', hint: /Did you mean eq/ },
  { text: 'equals(Active,true)', position: 0, expected: 'eq' },
  { text: '', position: 0, expected: 'and' },
  { text: 'Active', position: 0, expected: 'eq' },
  { text: 'eq(Active,True)', position: 10, expected: 'true or false', hint: /mean true/ },
  { text: "eq(Title,'it's')", position: 13, expected: '")"' },
  { text: "eq(Title,'its)", position: 9, expected: 'a closing quote', hint: /twice/ },
  { text: 'eq(Title,Foo)', position: 9, expected: 'a text in quotes', hint: /'Foo'/ },
  { text: 'eq(A,1)x', position: 7, expected: 'the end' },
  { text: 'eq(A,1x)', position: 5, expected: 'a number' },
  { text: 'eq(A,1)eq(B,2)', position: 7, expected: 'the end' },
  { text: 'eq(A)', position: 4, expected: '","' },
  { text: 'eq A,1)', position: 3, expected: '"(" after eq' },
  { text: 'eq(,1)', position: 3, expected: 'a field such as Detail.en.Title' },
  { text: 'eq(A.,1)', position: 5, expected: 'a field such as Detail.en.Title' },
  { text: 'eq(A..B,1)', position: 5, expected: 'a field such as Detail.en.Title' },
  { text: 'eq(GpsInfo[0],1)', position: 10, expected: '"[*]"', hint: /GpsInfo\.0/ },
  { text: 'eq(Features[],1)', position: 11, expected: '"[*]"' },
  { text: 'eq(Detail de,1)', position: 10, expected: '","' },
  { text: 'in(A)', position: 4, expected: '","' },
  { text: 'in(A,)', position: 5, expected: 'a number' },
  { text: 'in(A,[])', position: 5, expected: 'a number' },
  { text: "in(A,dt'2020-01-01')", position: 5, expected: 'a text in quotes' },
  { text: 'gt(A,[])', position: 5, expected: 'a date' },
  { text: 'and()', position: 4, expected: 'eq' },
  { text: 'not()', position: 4, expected: 'eq' },
  { text: 'not(eq(A,1),eq(B,1))', position: 11, expected: '")"' },
  { text: "eq(A,dt'abc')", position: 5, expected: 'yyyy-MM-dd' },
  { text: "eq(A,dt'2026-02-30')", position: 5, expected: 'yyyy-MM-dd', hint: /must exist/ },
  { text: "eq(A,dt'2026-01-01T24:00')", position: 5, expected: 'yyyy-MM-dd' },
  { text: "eq(A,dt'0000-01-01')", position: 5, expected: 'yyyy-MM-dd' },
  { text: "eq(A,'\0')", position: 5, expected: 'a text without U+0000' },
  { text: 'like(A,5)', position: 7, expected: 'a text in quotes' },
  { text: 'likein(A,5)', position: 9, expected: 'a text in quotes' },
  { text: "likein(A,'/a(b/')", position: 14, expected: '")"' },
  { text: "likein(A,'/a)/')", position: 12, expected: 'the end' },
  { text: "likein(A,'/(?=a)/')", position: 12, expected: 'a character' },
  { text: "likein(A,'/(a)\\1/')", position: 14, expected: 'the end' },
  { text: "likein(A,'/a||b/')", position: 13, expected: 'a character' },
  {
    text: "likein(A,'/[z-a]/')",
    position: 15,
    expected: 'a range upwards of at most 512 characters before this',
  },
  { text: "likein(A,'/[]/')", position: 13, expected: 'a character in the brackets' },
  { text: "likein(A,'/[[:alpha:]]/')", position: 12, expected: 'a character' },
  {
    text: "likein(A,'/a{51}/')",
    position: 16,
    expected: 'at most 50 repetitions before this, the lower number first',
  },
  {
    text: "likein(A,'/((a{50}){50})/')",
    position: 23,
    expected: 'at most 400 characters once repetitions are written out',
  },
  { text: nested(21), position: 80, expected: 'at most 20 levels of brackets' },
  { text: `isnull(${'A.'.repeat(20)}B)`, position: 48, expected: 'at most 20 steps' },
  {
    text: `or(${Array.from({ length: 201 }, () => 'isnull(A)').join(',')})`,
    position: 2003,
    expected: 'at most 200 terms',
    hint: /each value/,
  },
  {
    text: `in(A,${Array.from({ length: 201 }, () => '1').join(',')})`,
    position: 0,
    expected: 'at most 200 terms',
  },
  {
    text: `likein(A,${Array.from({ length: 21 }, () => "'/a/'").join(',')})`,
    position: 0,
    expected: 'at most 20 regular expressions',
    hint: /one\|other/,
  },
  { text: ' '.repeat(4001), position: 4000, expected: 'at most 4,000 characters' },
]

/** What the limits still let through. */
export const atTheLimit: readonly string[] = [
  nested(20),
  `isnull(${'A.'.repeat(19)}B)`,
  `or(${Array.from({ length: 200 }, () => 'isnull(A)').join(',')})`,
  `eq(A,'${'x'.repeat(4000 - 8)}')`,
]
