import { defineConfig } from 'oxfmt'

export default defineConfig({
  semi: false,
  singleQuote: true,
  printWidth: 100,
  sortPackageJson: false,
  svelte: {},
  ignorePatterns: [
    // Recorded answers and inputs stay byte for byte as they were recorded.
    'test/**/fixtures/',
    'test/contract/',
    // As providers send them, and as `hub push test --update` writes what they become.
    'mappings/*/samples/',
    // Generated.
    'openapi.json',
    'web/dist/',
    // Templates, which are YAML only once Helm has filled them in.
    'deploy/helm/templates/',
  ],
})
