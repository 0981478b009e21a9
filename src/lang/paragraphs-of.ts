/**
 * Returns the paragraphs of a text, without markup. Providers write HTML into texts; showing text
 * only ensures that nothing in it can run and no markup is read aloud.
 */
export function paragraphsOf(text: string): readonly string[] {
  const isHtml = /<\/?[a-z][^>]*>|&[a-z]+;|&#\d+;/i.test(text)
  const plain = isHtml ? withoutMarkup(text) : text
  return plain
    .split(/\n+/)
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
}

function withoutMarkup(html: string): string {
  return decode(
    html
      .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
      .replace(/\s+/g, ' ')
      .replace(/<li\b[^>]*>/gi, '\n• ')
      .replace(/<(br|\/p|\/div|\/h\d|\/ul|\/ol|\/tr)\b[^>]*>/gi, '\n')
      .replace(/<[^>]*>/g, ''),
  )
}

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', ndash: '–' },
    ...{ mdash: '—', hellip: '…', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”' },
    ...{ lsquo: '‘', rsquo: '’', deg: '°', euro: '€', middot: '·', bull: '•', times: '×' },
    ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
    ...{ agrave: 'à', egrave: 'è', eacute: 'é', igrave: 'ì', ograve: 'ò', ugrave: 'ù' },
  }),
)

function decode(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named.get(name) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return isCharacter(code) ? String.fromCodePoint(code) : whole
  })
}

/** Reports whether a code point may stand alone: one of a surrogate pair is not a character. */
function isCharacter(code: number): boolean {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code > 0 && code <= 0x10_ffff && !isSurrogate
}
