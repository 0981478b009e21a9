import { inLanguage } from '../language/index.ts'

const en = {
  skip: 'Skip to the content',
  main: 'Main',
  catalogue: 'Catalogue',
  series: 'Time series',
  traffic: 'Traffic',
  docs: 'Docs',
  language: 'Language',
  theme: 'Appearance',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  logIn: 'Log in',
  logOut: 'Log out',
  account: (name: string) => `Logged in as ${name}`,
  notFound: {
    title: 'Nothing at this address',
    body: 'This page does not exist. The address may have been cut off when it was copied. Start with the catalogue or the docs.',
  },
  broken: {
    title: 'The page failed',
    body: 'This is a fault of the page. Load it again; if it still fails, tell the operator what you did and send the text below.',
    again: 'Load again',
  },
  missing: 'This view could not be loaded',
  toCatalogue: 'To the catalogue',
  footer: {
    label: 'About this hub',
    version: (version: string) => `Hub ${version}`,
    description: 'Open data of the region, at one address.',
    api: 'OpenAPI document',
    health: 'Hub status',
    quota: 'Your quota',
    licence: 'Software: Apache License 2.0',
  },
}

const de: typeof en = {
  skip: 'Zum Inhalt springen',
  main: 'Hauptnavigation',
  catalogue: 'Katalog',
  series: 'Zeitreihen',
  traffic: 'Verkehr',
  docs: 'Dokumentation',
  language: 'Sprache',
  theme: 'Darstellung',
  themes: { auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  logIn: 'Anmelden',
  logOut: 'Abmelden',
  account: (name) => `Angemeldet als ${name}`,
  notFound: {
    title: 'Unter dieser Adresse ist nichts',
    body: 'Diese Seite gibt es nicht. Vielleicht wurde die Adresse beim Kopieren abgeschnitten. Beginnen Sie beim Katalog, oder sehen Sie in die Dokumentation.',
  },
  broken: {
    title: 'Die Seite ist kaputtgegangen',
    body: 'Das ist ein Fehler der Seite, nicht Ihrer. Laden Sie sie neu; wenn es bleibt, sagen Sie dem Betreiber, was Sie getan haben und was darunter steht.',
    again: 'Neu laden',
  },
  missing: 'Diese Ansicht konnte nicht geladen werden',
  toCatalogue: 'Zum Katalog',
  footer: {
    label: 'Über diesen Hub',
    version: (version) => `Hub ${version}`,
    description: 'Offene Daten der Region unter einer Adresse.',
    api: 'OpenAPI-Dokument',
    health: 'Zustand des Hubs',
    quota: 'Ihr Kontingent',
    licence: 'Software: Apache License 2.0',
  },
}

const it: typeof en = {
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

export const words = inLanguage({ de, it, en })
