export const dataset = {
  title: 'Dataset',
}

export type DatasetMessages = typeof dataset
