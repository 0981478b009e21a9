import { defineConfig } from 'oxlint'
import eslintConfig from './eslint.config.js'

// What eslint.config.js says, for Oxlint: it reads TypeScript and JavaScript in a sixth of ESLint's time. ESLint
// itself reads the components of the page, which only it can.

/** Found by TypeScript or gone from ESLint; or of no use without `any`. */
const leftOut = [
  'no-dupe-args',
  'no-new-symbol',
  'no-return-await',
  '@typescript-eslint/no-unsafe-class-instance-assignment',
]

/** Rules that Oxlint runs as ESLint has them (scripts/eslint-rules.js): it lacks them, or reads types as values. */
const asInESLint = /^no-restricted-(exports|globals|imports|syntax)$/

const nameOf = (name: string): string =>
  asInESLint.test(name)
    ? `eslint-rules/${name}`
    : name.replace('@typescript-eslint/', 'typescript/')

const rulesOf = (rules: object) =>
  Object.fromEntries(
    Object.entries(rules)
      .filter(([name]) => !name.startsWith('svelte/') && !leftOut.includes(name))
      .map(([name, setting]) => [nameOf(name), setting]),
  )

export default defineConfig({
  plugins: ['eslint', 'typescript'],
  jsPlugins: ['./scripts/eslint-rules.js'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'off' },
  ignorePatterns: [
    '**/*.svelte',
    ...eslintConfig.flatMap(({ files, ignores = [] }) => (files === undefined ? ignores : [])),
  ],
  overrides: eslintConfig
    .filter(({ files, rules }) => files !== undefined && rules !== undefined)
    .map(({ files = [], ignores = [], rules = {} }) => ({
      files: files.flat(),
      excludeFiles: ignores,
      rules: rulesOf(rules),
    })),
})
