import { contacts } from './contact.ts'
import { detail } from './detail.ts'
import { namedPositions, outline, ownPosition, positions } from './gps.ts'
import { distances } from './location.ts'
import { images } from './media.ts'
import { flag, note, text } from './values.ts'

/** What regions, municipalities, ski areas and the like have in common (reference content.md 7.9). */
export const regionMembers = {
  CustomId: text,
  Detail: detail,
  ContactInfos: contacts,
  ImageGallery: images,
  GpsInfo: positions,
  GpsPolygon: outline,
  DistanceInfo: distances,
  VisibleInSearch: note(flag, 'Whether it is offered as a choice in searches'),
  ...ownPosition,
}

/** Exactly one of the named positions is the default one. */
export const geo = note(
  namedPositions,
  'Positions and outlines by name; exactly one is the default',
)
