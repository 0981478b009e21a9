import type { ShellMessages } from '../en/shell.ts'

export const shell: ShellMessages = {
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
