/** A request of the guide that the page itself can make. */
export type Runnable = {
  readonly path: string
  readonly accept: string | undefined
  readonly needsToken: boolean
}

/** A line of a shell example, and what the page can do with it. */
export type Command = { readonly text: string; readonly request: Runnable | undefined }

/** The address that stands for any hub in the guide. */
export const exampleHub = 'http://localhost:8080'

/** The commands of a shell example; one continues where its line ends in a backslash. */
export function parseCommands(text: string, now: Date): readonly Command[] {
  const lines = text.split(/(?<!\\)\n/).filter((line) => line.trim() !== '')
  return lines.map((line) => ({ text: line, request: toRequest(line, now) }))
}

/** Options of curl that say nothing about the request, or nothing that a browser does not do itself. */
const silent = new Set(['-s', '-f', '-g', '-sf', '-si', '-i', '--compressed', '--globoff'])

/** A GET of this hub; undefined for everything else: writes, files, headers that browsers keep. */
function toRequest(line: string, now: Date): Runnable | undefined {
  const [program, ...words] = toWords(line, now)
  if (program !== 'curl') return undefined
  let url: string | undefined
  let accept: string | undefined
  let needsToken = false
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (silent.has(word)) continue
    if (word === '-H') {
      index += 1
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(words[index] ?? '') ?? []
      if (name.toLowerCase() === 'accept') accept = value
      else if (name.toLowerCase() === 'authorization') needsToken = true
      else return undefined
    } else if (word.startsWith(exampleHub) && url === undefined) url = word
    else return undefined
  }
  if (url === undefined || /<[a-z]+>/.test(url)) return undefined
  return { path: url.slice(exampleHub.length), accept, needsToken }
}

/** The words of a POSIX shell (2.2, 2.3), as far as the guide writes them. */
function toWords(line: string, now: Date): readonly string[] {
  const text = line
    .replaceAll('\\\n', ' ')
    .replaceAll('$(date -u +%F)', now.toISOString().slice(0, 10))
  const words = text.match(/(?:'[^']*'|"(?:\\.|[^"])*"|[^\s'"])+/g) ?? []
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"])*)"/g,
      (_, single?: string, double?: string) =>
        single ?? (double ?? '').replaceAll(/\\(["\\$`])/g, '$1'),
    ),
  )
}
