import type { RequestMessages } from '../en/request.ts'

export const request: RequestMessages = {
  title: 'Anfrage',
  parts: 'Welche Abfrage',
  form: 'Wie die Anfrage geschrieben ist',
  address: 'Adresse',
  token:
    'Sie sind angemeldet, und davon hängt ab, was Sie sehen. Setzen Sie für TOKEN ein eigenes Token ein.',
}
