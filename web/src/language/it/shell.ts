import type { ShellMessages } from '../en/shell.ts'

export const shell: ShellMessages = {
  skip: 'Vai al contenuto',
  main: 'Navigazione principale',
  catalogue: 'Catalogo',
  series: 'Serie temporali',
  traffic: 'Traffico',
  docs: 'Documentazione',
  language: 'Lingua',
  theme: 'Aspetto',
  themes: { auto: 'Come il sistema', light: 'Chiaro', dark: 'Scuro' },
  logIn: 'Accedi',
  logOut: 'Esci',
  account: (name) => `Accesso effettuato come ${name}`,
  notFound: {
    title: 'A questo indirizzo non c’è niente',
    body: 'Questa pagina non esiste. Forse l’indirizzo è stato tagliato quando è stato copiato. Cominci dal catalogo o guardi nella documentazione.',
  },
  broken: {
    title: 'La pagina si è rotta',
    body: 'È un errore della pagina, non suo. La ricarichi; se succede ancora, comunichi al gestore che cosa ha fatto e quello che è scritto qui sotto.',
    again: 'Ricarica',
  },
  missing: 'Questa vista non è stata caricata',
  toCatalogue: 'Al catalogo',
  footer: {
    label: 'Su questo hub',
    version: (version) => `Hub ${version}`,
    description: 'I dati aperti della regione a un solo indirizzo.',
    api: 'Documento OpenAPI',
    health: 'Stato dell’hub',
    quota: 'Le sue richieste',
    licence: 'Software: Apache License 2.0',
  },
}
