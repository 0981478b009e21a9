import { flag, integer, list, moment, note, perLanguage, text, timeOfDay } from './values.ts'

const hours = list({
  Start: timeOfDay,
  End: timeOfDay,
  Monday: flag,
  Tuesday: flag,
  Wednesday: flag,
  Thursday: flag,
  Thuresday: flag,
  Friday: flag,
  Saturday: flag,
  Sunday: flag,
  State: note(integer, '0 undefined, 1 closed, 2 open'),
  Timecode: note(integer, '1 general opening, 2 warm meals, 3 pizza, 4 snacks'),
})

/** When it is open: seasons, and the hours within them. */
export const schedule = list({
  OperationscheduleName: perLanguage(text),
  Start: moment,
  Stop: moment,
  Type: note(text, '1: these dates; 2: day and month, every year; 3: a season, only months count'),
  OperationScheduleTime: hours,
})
