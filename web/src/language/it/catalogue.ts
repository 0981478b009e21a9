import type { CatalogueMessages } from '../en/catalogue.ts'

export const catalogue: CatalogueMessages = {
  title: 'Catalogo',
}
