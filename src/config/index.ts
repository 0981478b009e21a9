export { ConfigError, loadConfig } from './load-config.ts'
export { settings } from './settings.ts'
export type { Config } from './settings.ts'
