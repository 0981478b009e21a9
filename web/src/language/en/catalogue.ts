export const catalogue = {
  title: 'Catalogue',
}

export type CatalogueMessages = typeof catalogue
