export { ConfigError, loadConfig, oldForms } from './load-config.ts'
export { describeQuantity, printQuantity, unitOf } from './quantity.ts'
export { settings } from './settings.ts'
export type { Config } from './settings.ts'
