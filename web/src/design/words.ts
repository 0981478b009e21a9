import { inLanguage } from '../language/index.ts'

const en = {
  close: 'Close',
  remove: (name: string) => `Remove ${name}`,
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Select and copy it yourself',
  nothingFound: 'Nothing found',
  youAreHere: 'You are here',
  zone: {
    label: 'Time zone',
    region: (name: string) => `Region (${name})`,
    utc: 'UTC',
    browser: (name: string) => `Yours (${name})`,
  },
}

const de: typeof en = {
  close: 'Schließen',
  remove: (name) => `${name} entfernen`,
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Bitte selbst markieren und kopieren',
  nothingFound: 'Nichts gefunden',
  youAreHere: 'Sie sind hier',
  zone: {
    label: 'Zeitzone',
    region: (name) => `Region (${name})`,
    utc: 'UTC',
    browser: (name) => `Ihre Zone (${name})`,
  },
}

const it: typeof en = {
  close: 'Chiudi',
  remove: (name) => `Togli ${name}`,
  copy: 'Copia',
  copied: 'Copiato',
  copyFailed: 'Selezionare e copiare a mano',
  nothingFound: 'Nessun risultato',
  youAreHere: 'Lei è qui',
  zone: {
    label: 'Fuso orario',
    region: (name) => `Regione (${name})`,
    utc: 'UTC',
    browser: (name) => `Il Suo (${name})`,
  },
}

export const words = inLanguage({ de, it, en })
