/**
 * The dates and times that records hold, as PostgreSQL patterns. Whatever matches `timeForm` is a day
 * and a time that exist, so that casting it cannot fail. PostgreSQL 15 cannot try a cast, and a
 * function that catches its error cannot run in a parallel plan.
 */
const long = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])'
const short = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)'
const february = '02-(?:0[1-9]|1[0-9]|2[0-8])'
const leapDay = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29'
const day = `(?!0000)(?:[0-9]{4}-(?:${long}|${short}|${february})|${leapDay})`
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?'
const zone = '(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)'

/** A day, or a day and a time, with or without a zone. */
export const timeForm = `^${day}(?:[T ]${time}${zone}?)?$`

/** Of those, the ones that name their zone; the others mean UTC. */
export const zonedForm = `:.*${zone}$`
