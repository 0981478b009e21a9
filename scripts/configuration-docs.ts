import type { TSchema } from 'typebox'
import { describeQuantity, printQuantity, settings, unitOf } from '../src/config/index.ts'

const schemas: Readonly<Record<string, TSchema>> = settings.properties

const words = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const introduction = `# Configuration

<!-- Generated from src/config/settings.ts by \`npm run docs\`. Change it there. -->

Environment variables configure the hub. It also reads the file \`.env\` in the working directory; variables of the
environment take precedence. An empty variable counts as unset. At start the hub checks all settings and reports all
faults at once, including unknown \`HUB_…\` variables. Copy settings from [\`.env.example\`](../.env.example).
`

/** Returns the documentation page of all settings, as Markdown. */
export function configurationPage(): string {
  const rows = Object.entries(schemas).map(([name, schema]) => {
    const cells = [`\`${name}\``, allowed(schema), shownDefault(schema), description(schema)]
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  })
  const head = '| Setting | Values | Default | Meaning |\n| --- | --- | --- | --- |'
  return `${introduction}\n${head}\n${rows.join('\n')}\n`
}

/** Returns an example `.env` in which every setting is commented out and has its default value. */
export function environmentExample(): string {
  const head = [
    '# All settings of the hub with their defaults. Copy this file to .env and uncomment what you change.',
    '# Generated from src/config/settings.ts by `npm run docs`; docs/configuration.md shows them as a table.',
  ].join('\n')
  const settingsWithDefaults = Object.entries(schemas).map(
    ([name, schema]) => `# ${description(schema)}\n# ${name}=${defaultText(schema) ?? ''}`,
  )
  return `${[head, ...settingsWithDefaults].join('\n\n')}\n`
}

function description(schema: TSchema): string {
  return 'description' in schema ? String(schema.description) : ''
}

function defaultText(schema: TSchema): string | undefined {
  if (!('default' in schema)) return undefined
  const unit = unitOf(schema)
  if (unit !== undefined) return printQuantity(Number(schema.default), unit)
  return Array.isArray(schema.default) ? schema.default.join(',') : String(schema.default)
}

function shownDefault(schema: TSchema): string {
  const text = defaultText(schema)
  if (text === undefined) return 'not set'
  return text === '' ? 'empty' : `\`${text}\``
}

function allowed(schema: TSchema): string {
  if ('enum' in schema && Array.isArray(schema.enum)) {
    return words.format(schema.enum.map((value) => `\`${String(value)}\``))
  }
  const unit = unitOf(schema)
  if (unit !== undefined) return describeQuantity(schema, unit)
  if ('minimum' in schema && 'maximum' in schema) {
    const kind = 'type' in schema && schema.type === 'integer' ? 'whole number' : 'number'
    return `${kind}, ${String(schema.minimum)} to ${String(schema.maximum)}`
  }
  if ('type' in schema && schema.type === 'array') return 'comma-separated list'
  return 'pattern' in schema ? `text matching \`${String(schema.pattern)}\`` : 'text'
}
