export { languages, textIn } from './choose-language.ts'
export type { Language } from './choose-language.ts'
export {
  counted,
  formatPlace,
  compareTexts,
  formatBytes,
  formatDate,
  formatDateRange,
  formatDateTime,
  formatDay,
  formatLength,
  formatList,
  formatMeasured,
  formatNumber,
  formatRelative,
  formatShare,
  naming,
  plural,
} from './format.ts'
export type { LengthUnit } from './format.ts'
export { hasZone, readTime } from './zoned.ts'
export { language, speak, inLanguage } from './language.svelte.ts'
export type { Text } from './language.svelte.ts'
export { browserZone, zone, zoneOf, zoneWords } from './zone.svelte.ts'
export type { ZoneWord } from './zone.svelte.ts'
export { languageName, withArticle } from './intl.ts'
