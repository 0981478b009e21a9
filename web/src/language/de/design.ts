import type { DesignMessages } from '../en/design.ts'

export const design: DesignMessages = {
  close: 'Schließen',
  remove: (name) => `${name} entfernen`,
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Bitte selbst markieren und kopieren',
  nothingFound: 'Nichts gefunden',
  chosen: (names) => `Gewählt: ${names}`,
  showAll: 'Alle zeigen',
  youAreHere: 'Sie sind hier',
  zone: {
    label: 'Zeitzone',
    region: (name) => `Region (${name})`,
    utc: 'UTC',
    browser: (name) => `Ihre Zone (${name})`,
  },
}
