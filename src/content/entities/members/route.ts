import { flag, note, number, object, text } from './values.ts'

/** Length, time and height of a way, a slope or a lift. */
export const routeMeasures = {
  AltitudeDifference: note(number, 'Metres'),
  AltitudeHighestPoint: note(number, 'Metres above sea level'),
  AltitudeLowestPoint: note(number, 'Metres above sea level'),
  AltitudeSumUp: note(number, 'Metres climbed in all'),
  AltitudeSumDown: note(number, 'Metres descended in all'),
  DistanceDuration: note(number, 'Hours'),
  DistanceLength: note(number, 'Metres'),
}

/** What holds on it. */
export const routeFlags = {
  IsOpen: flag,
  HasFreeEntrance: flag,
  IsPrepared: note(flag, 'Groomed'),
  RunToValley: flag,
  IsWithLigth: note(flag, 'Lit at night; spelt so everywhere'),
  HasRentals: flag,
  LiftAvailable: flag,
  FeetClimb: note(flag, 'Can be climbed on foot'),
  BikeTransport: note(flag, 'Takes bicycles'),
}

/** From 1 to 6, as text. */
export const ratings = object({
  Stamina: text,
  Experience: text,
  Landscape: text,
  Difficulty: note(text, '1 easy to 6 hard'),
  Technique: text,
})
