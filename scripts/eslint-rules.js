import { builtinRules } from 'eslint/use-at-your-own-risk'

/** All rules of ESLint as a plugin of Oxlint; oxlint.config.ts names those that it takes from here. */
export default {
  meta: { name: 'eslint-rules' },
  rules: Object.fromEntries(builtinRules),
}
