import type { DatasetMessages } from '../en/dataset.ts'

export const dataset: DatasetMessages = {
  title: 'Datensatz',
}
