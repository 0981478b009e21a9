import { inLanguage, naming } from '../language/index.ts'

export const words = inLanguage({
  skip: ['Zum Inhalt springen', 'Vai al contenuto', 'Skip to the content'],
  main: ['Hauptnavigation', 'Navigazione principale', 'Main'],
  catalogue: ['Katalog', 'Catalogo', 'Catalogue'],
  series: ['Zeitreihen', 'Serie temporali', 'Time series'],
  traffic: ['Verkehr', 'Traffico', 'Traffic'],
  docs: ['Dokumentation', 'Documentazione', 'Docs'],
  desk: ['Arbeitsplatz', 'Scrivania', 'Desk'],
  language: ['Sprache', 'Lingua', 'Language'],
  theme: ['Darstellung', 'Aspetto', 'Appearance'],
  themes: {
    auto: ['Wie das System', 'Come il sistema', 'System'],
    light: ['Hell', 'Chiaro', 'Light'],
    dark: ['Dunkel', 'Scuro', 'Dark'],
  },
  logIn: ['Anmelden', 'Accedi', 'Log in'],
  logOut: ['Abmelden', 'Esci', 'Log out'],
  account: naming(['Angemeldet als #', 'Accesso effettuato come #', 'Logged in as #']),
  notFound: {
    title: ['Seite nicht gefunden', 'Pagina non trovata', 'Page not found'],
    body: [
      'Diese Seite gibt es nicht. Vielleicht wurde die Adresse beim Kopieren abgeschnitten. Beginnen Sie beim Katalog, oder sehen Sie in die Dokumentation.',
      'Questa pagina non esiste. Forse l’indirizzo è stato copiato solo in parte. Cominci dal catalogo o guardi nella documentazione.',
      'This page does not exist. Its URL may have been copied incompletely. Start with the catalogue or the docs.',
    ],
  },
  broken: {
    title: [
      'Auf der Seite ist ein Fehler aufgetreten',
      'Si è verificato un errore nella pagina',
      'The page failed',
    ],
    body: [
      'Das ist nicht Ihr Fehler. Laden Sie die Seite neu; wenn es wieder geschieht, sagen Sie dem Betreiber, was Sie getan haben, und senden Sie ihm den Text unten.',
      'Non è colpa sua. Ricarichi la pagina; se succede ancora, dica al gestore che cosa ha fatto e gli invii il testo qui sotto.',
      'This is a fault of the page. Reload it. If it still fails, tell the operator what you did, and send the text below.',
    ],
    again: ['Neu laden', 'Ricarica', 'Load again'],
  },
  missing: [
    'Diese Ansicht konnte nicht geladen werden',
    'Non è stato possibile caricare questa vista',
    'This view could not be loaded',
  ],
  toCatalogue: ['Zum Katalog', 'Al catalogo', 'To the catalogue'],
  footer: {
    label: ['Über diesen Hub', 'Su questo hub', 'About this hub'],
    times: ['Zeiten in', 'Orari in', 'Times are shown in'],
    version: (version: string) => `Hub ${version}`,
    description: [
      'Offene Daten der Region unter einer Adresse.',
      'I dati aperti della regione a un solo indirizzo.',
      'Open data of the region, at one address.',
    ],
    api: ['OpenAPI-Dokument', 'Documento OpenAPI', 'OpenAPI document'],
    health: ['Zustand des Hubs', 'Stato dell’hub', 'Hub status'],
    embed: ['Diese Ansicht einbetten', 'Incorpora questa vista', 'Embed this view'],
    whole: (title: string) => [`In ${title} öffnen`, `Apri in ${title}`, `Open in ${title}`],
    quota: ['Ihr Kontingent', 'La sua quota', 'Your quota'],
    licence: 'Software: Apache License 2.0',
  },
})
