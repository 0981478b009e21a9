import { formatNumber, inLanguage } from '../language/index.ts'

export const words = inLanguage({
  close: ['Schließen', 'Chiudi', 'Close'],
  remove: (name: string) => [`${name} entfernen`, `Rimuovi ${name}`, `Remove ${name}`],
  copy: ['Kopieren', 'Copia', 'Copy'],
  copied: ['Kopiert', 'Copiato', 'Copied'],
  copyFailed: [
    'Markieren und kopieren Sie es selbst',
    'Lo selezioni e lo copi manualmente',
    'Select and copy it yourself',
  ],
  nothingFound: ['Nichts gefunden', 'Nessun risultato', 'Nothing found'],
  showMore: (count: number) => [
    `${formatNumber(count)} weitere zeigen`,
    count === 1 ? 'Mostra un altro' : `Mostra altri ${formatNumber(count)}`,
    `Show ${formatNumber(count)} more`,
  ],
  youAreHere: ['Sie sind hier', 'Si trova qui', 'You are here'],
  zone: {
    label: ['Zeitzone', 'Fuso orario', 'Time zone'],
    region: (name: string) => [`Region (${name})`, `Regione (${name})`, `Region (${name})`],
    utc: 'UTC',
    browser: (name: string) => [`Ihre Zone (${name})`, `Il suo (${name})`, `Yours (${name})`],
  },
})
