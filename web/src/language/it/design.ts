import type { DesignMessages } from '../en/design.ts'

export const design: DesignMessages = {
  close: 'Chiudi',
  remove: (name) => `Togli ${name}`,
  copy: 'Copia',
  copied: 'Copiato',
  copyFailed: 'Selezionare e copiare a mano',
  nothingFound: 'Nessun risultato',
  chosen: (names) => `Scelti: ${names}`,
  showAll: 'Mostra tutto',
  youAreHere: 'Lei è qui',
  zone: {
    label: 'Fuso orario',
    region: (name) => `Regione (${name})`,
    utc: 'UTC',
    browser: (name) => `Il Suo (${name})`,
  },
}
