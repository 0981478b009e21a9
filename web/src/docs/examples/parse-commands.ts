/** A request of the guide that the page itself can send. */
export type Runnable = {
  readonly path: string
  readonly accept: string | undefined
  readonly needsToken: boolean
}

/** A line of a shell example; `request` is undefined if the page cannot run it. */
export type Command = { readonly text: string; readonly request: Runnable | undefined }

/** Base URL that stands for any hub in the guide. */
export const exampleHub = 'http://localhost:8080'

/** Splits a shell example into commands. A backslash at the end of a line continues the command. */
export function parseCommands(text: string, now: Date): readonly Command[] {
  const lines = text.split(/(?<!\\)\n/).filter((line) => line.trim() !== '')
  return lines.map((line) => ({ text: line, request: toRequest(line, now) }))
}

/** Options of curl that do not affect the request, or that match what browsers do anyway. */
const silent = new Set(['-s', '-f', '-g', '-sf', '-si', '-i', '--compressed', '--globoff'])

/**
 * Parses a GET request to this hub. Returns undefined for anything else: writes, files, and headers
 * that browsers reserve.
 */
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

/** Splits a line into words by POSIX shell rules (2.2, 2.3), as far as the guide uses them. */
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
