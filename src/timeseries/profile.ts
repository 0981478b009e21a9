/** To the letter of the interface, or as existing clients of the public system expect (decision D0). */
export type Profile = 'strict' | 'compatible'
