import type { RequestMessages } from '../en/request.ts'

export const request: RequestMessages = {
  title: 'Richiesta',
  parts: 'Quale richiesta',
  form: 'Come è scritta la richiesta',
  address: 'Indirizzo',
  token:
    'Ha effettuato l’accesso, e da questo dipende ciò che vede. Al posto di TOKEN metta un token suo.',
}
