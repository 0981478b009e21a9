import type { TSchema } from 'typebox'
import { describeQuantity, printQuantity, settings, unitOf } from '../src/config/index.ts'

const schemas: Readonly<Record<string, TSchema>> = settings.properties

const words = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const introduction = `# Configuration

<!-- Generated from src/config/settings.ts by \`npm run docs\`. Change it there. -->

The hub is configured by environment variables. A file \`.env\` in the working directory is read too;
variables of the environment win over it. An empty variable counts as unset. The hub checks everything
at start and names all faults at once; an unknown \`HUB_…\` variable is a fault, too.
[\`.env.example\`](../.env.example) lists the same settings to copy from.
`

/** The page of all settings, as Markdown. */
export function configurationPage(): string {
  const rows = Object.entries(schemas).map(([name, schema]) => {
    const cells = [`\`${name}\``, allowed(schema), shownDefault(schema), description(schema)]
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  })
  const head = '| Setting | Takes | Default | Meaning |\n| --- | --- | --- | --- |'
  return `${introduction}\n${head}\n${rows.join('\n')}\n`
}

/** A file `.env` in which every setting stands commented out, with its default. */
export function environmentExample(): string {
  const head = [
    '# The settings of the hub with their defaults. Copy this file to .env and uncomment what you change.',
    '# Generated from src/config/settings.ts by `npm run docs`; docs/configuration.md has it as a table.',
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
    return `whole number, ${String(schema.minimum)} to ${String(schema.maximum)}`
  }
  if ('type' in schema && schema.type === 'array') return 'comma-separated list'
  return 'pattern' in schema ? `text matching \`${String(schema.pattern)}\`` : 'text'
}
