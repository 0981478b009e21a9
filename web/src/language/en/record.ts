export const record = {
  title: 'Record',
}

export type RecordMessages = typeof record
