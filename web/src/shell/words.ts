import { inLanguage } from '../language/index.ts'

export const words = inLanguage({
  skip: ['Zum Inhalt springen', 'Vai al contenuto', 'Skip to the content'],
  main: ['Hauptnavigation', 'Navigazione principale', 'Main'],
  catalogue: ['Katalog', 'Catalogo', 'Catalogue'],
  series: ['Zeitreihen', 'Serie temporali', 'Time series'],
  traffic: ['Verkehr', 'Traffico', 'Traffic'],
  docs: ['Dokumentation', 'Documentazione', 'Docs'],
  language: ['Sprache', 'Lingua', 'Language'],
  theme: ['Darstellung', 'Aspetto', 'Appearance'],
  themes: {
    auto: ['Wie das System', 'Come il sistema', 'System'],
    light: ['Hell', 'Chiaro', 'Light'],
    dark: ['Dunkel', 'Scuro', 'Dark'],
  },
  logIn: ['Anmelden', 'Accedi', 'Log in'],
  logOut: ['Abmelden', 'Esci', 'Log out'],
  account: (name: string) => [
    `Angemeldet als ${name}`,
    `Accesso effettuato come ${name}`,
    `Logged in as ${name}`,
  ],
  notFound: {
    title: [
      'Unter dieser Adresse ist nichts',
      'A questo indirizzo non c’è niente',
      'Nothing at this address',
    ],
    body: [
      'Diese Seite gibt es nicht. Vielleicht wurde die Adresse beim Kopieren abgeschnitten. Beginnen Sie beim Katalog, oder sehen Sie in die Dokumentation.',
      'Questa pagina non esiste. Forse l’indirizzo è stato tagliato quando è stato copiato. Cominci dal catalogo o guardi nella documentazione.',
      'This page does not exist. The address may have been cut off when it was copied. Start with the catalogue or the docs.',
    ],
  },
  broken: {
    title: ['Die Seite ist kaputtgegangen', 'La pagina si è rotta', 'The page failed'],
    body: [
      'Das ist ein Fehler der Seite, nicht Ihrer. Laden Sie sie neu; wenn es bleibt, sagen Sie dem Betreiber, was Sie getan haben und was darunter steht.',
      'È un errore della pagina, non suo. La ricarichi; se succede ancora, comunichi al gestore che cosa ha fatto e quello che è scritto qui sotto.',
      'This is a fault of the page. Load it again; if it still fails, tell the operator what you did and send the text below.',
    ],
    again: ['Neu laden', 'Ricarica', 'Load again'],
  },
  missing: [
    'Diese Ansicht konnte nicht geladen werden',
    'Questa vista non è stata caricata',
    'This view could not be loaded',
  ],
  toCatalogue: ['Zum Katalog', 'Al catalogo', 'To the catalogue'],
  footer: {
    label: ['Über diesen Hub', 'Su questo hub', 'About this hub'],
    times: ['Uhrzeiten in', 'Orari in', 'Times are shown in'],
    version: (version: string) => `Hub ${version}`,
    description: [
      'Offene Daten der Region unter einer Adresse.',
      'I dati aperti della regione a un solo indirizzo.',
      'Open data of the region, at one address.',
    ],
    api: ['OpenAPI-Dokument', 'Documento OpenAPI', 'OpenAPI document'],
    health: ['Zustand des Hubs', 'Stato dell’hub', 'Hub status'],
    quota: ['Ihr Kontingent', 'Le sue richieste', 'Your quota'],
    licence: 'Software: Apache License 2.0',
  },
})
