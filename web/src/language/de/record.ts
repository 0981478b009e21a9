import type { RecordMessages } from '../en/record.ts'

export const record: RecordMessages = {
  title: 'Eintrag',
}
