/** Whether `Prefer: handling=strict` is asked for (RFC 7240 section 4.4, decision D3). */
export function wantsStrictHandling(prefer: string | readonly string[] | undefined): boolean {
  return [prefer ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference))
}
