import { createTransport } from 'nodemailer'
import type { SendMail } from './notify.ts'

/** E-mail through a server. @param url `smtps://user:password@host:465`, or `smtp:` with STARTTLS where offered */
export function mailThrough(url: string, from: string): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // No text of a notice may name a file or an address that is fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: [...to], subject, text })
  }
}
