import { inLanguage } from '../language/index.ts'

export const words = inLanguage({
  close: ['Schließen', 'Chiudi', 'Close'],
  remove: (name: string) => [`${name} entfernen`, `Togli ${name}`, `Remove ${name}`],
  copy: ['Kopieren', 'Copia', 'Copy'],
  copied: ['Kopiert', 'Copiato', 'Copied'],
  copyFailed: [
    'Bitte selbst markieren und kopieren',
    'Selezionare e copiare a mano',
    'Select and copy it yourself',
  ],
  nothingFound: ['Nichts gefunden', 'Nessun risultato', 'Nothing found'],
  youAreHere: ['Sie sind hier', 'Lei è qui', 'You are here'],
  zone: {
    label: ['Zeitzone', 'Fuso orario', 'Time zone'],
    region: (name: string) => [`Region (${name})`, `Regione (${name})`, `Region (${name})`],
    utc: 'UTC',
    browser: (name: string) => [`Ihre Zone (${name})`, `Il Suo (${name})`, `Yours (${name})`],
  },
})
