import { tagRows } from './type-row.ts'

/** What the bits of the mask of articles stand for (reference content.md 1.5). */
export const articleTypes = tagRows({
  basisartikel: ['Basisartikel', 'Articolo di base', 'Basic article'],
  buchtippartikel: ['Buchtipp', 'Consiglio di lettura', 'Book tip'],
  contentartikel: ['Content-Artikel', 'Articolo di contenuto', 'Content article'],
  veranstaltungsartikel: ['Veranstaltungsartikel', 'Articolo su eventi', 'Event article'],
  presseartikel: ['Presseartikel', 'Articolo stampa', 'Press article'],
  rezeptartikel: ['Rezept', 'Ricetta', 'Recipe'],
  reiseveranstalter: ['Reiseveranstalter', 'Operatore turistico', 'Tour operator'],
  b2bartikel: ['B2B-Artikel', 'Articolo B2B', 'B2B article'],
  idmartikel: ['IDM-Artikel', 'Articolo IDM', 'IDM article'],
  specialannouncement: ['Besondere Mitteilung', 'Comunicazione speciale', 'Special announcement'],
  newsfeednoi: ['NOI Newsfeed', 'Newsfeed NOI', 'NOI newsfeed'],
})
