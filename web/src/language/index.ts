export { languages } from './choose-language.ts'
export type { Language } from './choose-language.ts'
export { formatPlace } from './format-place.ts'
export {
  compareTexts,
  formatBytes,
  formatDate,
  formatDateRange,
  formatDateTime,
  formatDay,
  formatList,
  formatMeasured,
  formatNumber,
  formatRelative,
  formatShare,
} from './format.ts'
export { languageName } from './language-name.ts'
export { readTime } from './read-time.ts'
export { language, speak } from './language.svelte.ts'
export { inLanguage } from './messages.ts'
export { browserZone, zone, zoneOf, zoneWords } from './zone.svelte.ts'
export type { ZoneWord } from './zone.svelte.ts'
